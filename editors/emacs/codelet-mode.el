;;; codelet-mode.el --- Codelets of tgc  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; A mode for .cdl files, which are C++ with the words of the codelet
;; language.  Eglot and lsp-mode start `tgc lsp' in it.

;;; Code:

(require 'cc-mode)

(defgroup codelet nil
  "Codelets of tgc."
  :group 'languages)

(defcustom codelet-server-command '("tgc" "lsp")
  "How the language server is started."
  :type '(repeat string))

(defconst codelet-qualifiers
  '("__codelet" "__coop" "__tag" "__env" "__tunable" "__mutable" "__shape"
    "__like" "__by_columns" "__accum" "__append" "__shared" "__shared_atomic"
    "__shared_atomicAdd" "__shared_atomicSub" "__shared_atomicMax"
    "__shared_atomicMin" "__shared_once" "__atomic" "__atomicAdd" "__atomicSub" "__atomicMax"
    "__atomicMin" "__monoid"))

(defconst codelet-types '("Array" "Vector" "Map" "Sequence" "Cut"))

(defconst codelet-functions
  '("map" "partition" "sequence" "tiles" "cut" "halo" "whole" "rows" "columns"
    "elements" "transform" "zip" "take" "shift" "reverse" "every" "gather" "repeat"
    "iota" "generate" "slide" "mma" "matrix" "ones" "triangle" "coopIdx" "coopDim"
    "order_bits" "order_size" "popcount" "min" "max" "lowest" "highest"
    "exp" "exp2" "expm1" "log" "log2" "log1p" "sqrt" "rsqrt"
    "sin" "cos" "atan" "tanh" "erf" "pow" "fabs" "floor" "ceil" "trunc" "fma"
    "ldexp" "bits_of" "float_of_bits"
    "double_of_bits"))

(defconst codelet-members
  '("Size" "size" "Stride" "MaxSize" "ThreadId" "LaneId" "VectorId" "Alike" "to" "append" "claim"
    "atomic" "atomicAdd" "atomicSub" "atomicMax" "atomicMin" "id" "op"))

(defconst codelet-operators
  '("Sum" "Product" "Max" "Min" "And" "Or" "Xor" "Add" "Sub" "Once" "Any"))

(defun codelet-face-in-code (face)
  "FACE; in a comment or string the face that the match has there."
  (if (nth 8 (save-excursion (syntax-ppss (match-beginning 0))))
      (get-text-property (match-beginning 0) 'face)
    face))

;; Qualifiers override what C++ mode takes them for: types.
(defconst codelet-font-lock-keywords
  `((,(regexp-opt codelet-qualifiers 'symbols)
     0 (codelet-face-in-code 'font-lock-keyword-face) t)
    ("\\_<__tag *(\\([^)\n]*\\))"
     1 (codelet-face-in-code 'font-lock-constant-face) t)
    (,(regexp-opt codelet-types 'symbols) . font-lock-type-face)
    (,(concat (regexp-opt codelet-functions 'symbols) "[ \t]*[(<]")
     1 font-lock-builtin-face)
    (,(concat "\\(?:\\.\\|::\\|template +\\)"
              (regexp-opt codelet-members 'symbols) "[ \t]*[(<]")
     1 font-lock-builtin-face)
    (,(regexp-opt codelet-operators 'symbols) . font-lock-constant-face)))

;;;###autoload
(define-derived-mode codelet-mode c++-mode "Codelet"
  "Mode for the codelets of tgc."
  (font-lock-add-keywords nil codelet-font-lock-keywords 'append))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.cdl\\'" . codelet-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons 'codelet-mode
                     (lambda (&rest _) codelet-server-command))))

(declare-function lsp-register-client "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(defvar lsp-language-id-configuration)
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(codelet-mode . "cdl"))
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection (lambda () codelet-server-command))
    :major-modes '(codelet-mode)
    :server-id 'tgc)))

(provide 'codelet-mode)
;;; codelet-mode.el ends here
