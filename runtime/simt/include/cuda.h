// cuda.h: of the driver's names a kernel's text uses those of tensor maps, where a GPU copies by them; the executor has ../groups.h.
