# chart.cmake: TGC_CHART, a file with Chart.js and its licence: what draws the plots on the pages of `tgc view'.
#
# Chart.js (MIT licence) is libjs-chart.js on Debian and Ubuntu. It was chosen because it has logarithmic axes, draws on
# a canvas, never writes markup (a name out of a folder stays text), and needs no style sheet. The compiler carries it,
# so that a page needs nothing from the system that tgc is installed on. Elsewhere: -DTGC_CHART_JS=FILE (3.7 to 3.9) and
# -DTGC_CHART_JS_LICENSE=FILE. Without them, or with -DTGC_CHART_JS=OFF, the file is empty: pages have tables alone.
find_file(TGC_CHART_JS NAMES chart.min.js PATHS /usr/share/javascript/chart.js NO_DEFAULT_PATH
          DOC "Chart.js, which draws the plots of `tgc view'; OFF: tables instead of plots")
find_file(TGC_CHART_JS_LICENSE NAMES copyright PATHS /usr/share/doc/libjs-chart.js NO_DEFAULT_PATH
          DOC "the licence of TGC_CHART_JS")
set(TGC_CHART ${CMAKE_CURRENT_BINARY_DIR}/chart/chart.js)
set(_tgc_chart "")
set(_tgc_chart_licence "")
if(TGC_CHART_JS AND TGC_CHART_JS_LICENSE)
  file(READ ${TGC_CHART_JS} _tgc_chart)
  file(READ ${TGC_CHART_JS_LICENSE} _tgc_chart_licence)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${TGC_CHART_JS} ${TGC_CHART_JS_LICENSE})
  # It stands in an element of the page, and its licence in a comment before it.
  string(TOLOWER "${_tgc_chart}${_tgc_chart_licence}" _tgc_chart_lower)
  if(_tgc_chart_lower MATCHES "</script|<script|<!--" OR _tgc_chart_licence MATCHES "[*]/")
    message(FATAL_ERROR "${TGC_CHART_JS} or ${TGC_CHART_JS_LICENSE} has text that would end its place in an HTML page")
  endif()
  message(STATUS "`tgc view' draws plots with ${TGC_CHART_JS}")
  file(CONFIGURE OUTPUT ${TGC_CHART} CONTENT "/*\n@_tgc_chart_licence@*/\n@_tgc_chart@\n" @ONLY)
else()
  if(TGC_CHART_JS)
    set(_tgc_chart_lacks "the licence of ${TGC_CHART_JS} was not found; -DTGC_CHART_JS_LICENSE=FILE names it")
  else()
    set(_tgc_chart_lacks "Chart.js was not found (Debian, Ubuntu: libjs-chart.js; else -DTGC_CHART_JS=FILE)")
  endif()
  message(STATUS "`tgc view' writes tables instead of plots: ${_tgc_chart_lacks}")
  file(CONFIGURE OUTPUT ${TGC_CHART} CONTENT "" @ONLY)
endif()

# Whoever gets the compiler gets the licence of what it carries.
set(TGC_COPYRIGHT ${CMAKE_CURRENT_BINARY_DIR}/chart/copyright)
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE _tgc_copyright)
if(_tgc_chart)
  string(APPEND _tgc_copyright "\n\nThe compiler carries Chart.js, which draws plots on the pages of `tgc view':\n\n"
                               "${_tgc_chart_licence}")
  string(REGEX MATCHALL "/[*]!([^*]|[*][^/])*[*]/" _tgc_chart_notices "${_tgc_chart}") # of what it contains itself
  foreach(notice IN LISTS _tgc_chart_notices)
    string(APPEND _tgc_copyright "\n${notice}\n")
  endforeach()
endif()
file(CONFIGURE OUTPUT ${TGC_COPYRIGHT} CONTENT "@_tgc_copyright@" @ONLY)
