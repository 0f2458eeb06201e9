"""The sizes of a call: read off the arrays, and by the manifest's rules where arrays are left out."""


def describe(shape):
    return "x".join(map(str, shape)) if shape else "one element"


class Sizes:
    """Values of the size operands, and which argument said each."""

    def __init__(self, operands):
        self.operands = {o.name: o for o in operands}
        self.values, self.said_by = {}, {}

    def give(self, name, value, by):
        """Notes a size; ValueError if another argument says otherwise."""
        known = self.values.setdefault(name, value)
        first = self.said_by.setdefault(name, by)
        if known != value:
            raise ValueError(f"{by} gives {name} = {value}, and {first} gives {name} = {known}")

    def read(self, operand, view):
        """The sizes of an array that was given: its elements; rows, columns and leading dimension; sizes and strides."""
        rank = operand.rank
        if len(view.shape) != rank and not (rank == 0 and view.size() == 1):
            hint = "; reshape(-1) makes it so" if rank == 1 and len(view.shape) > 1 else ""
            raise ValueError(
                f"{operand.name} has {len(view.shape)} dimensions ({describe(view.shape)}), and {rank} "
                f"{'is' if rank == 1 else 'are'} expected{hint}"
            )
        if rank == 1:
            if view.strides[0] != 1 and view.shape[0] > 1:
                raise ValueError(f"{operand.name} is not contiguous: its elements are {view.strides[0]} apart")
            self.give(operand.sizes[0], view.shape[0], f"{operand.name} ({describe(view.shape)})")
        elif rank == 2:
            self._read_matrix(operand, view)
        elif rank > 2:
            self._read_planes(operand, view)

    def _read_matrix(self, operand, view):
        rows, columns = view.shape
        across, along = reversed(view.strides) if operand.by_columns else view.strides
        many, length = (columns, rows) if operand.by_columns else (rows, columns)
        if along != 1 and length > 1 and many > 0:
            order, other = ("column-major", "row-major") if operand.by_columns else ("row-major", "column-major")
            hint = f"; it looks {other}" if across == 1 else ""
            raise ValueError(
                f"{operand.name} ({describe(view.shape)}) is expected {order}, with its "
                f"{'columns' if operand.by_columns else 'rows'} contiguous, and its strides are "
                f"{view.strides} elements{hint}"
            )
        leading = across if many > 1 and length > 0 else max(length, 1)
        if leading < length:
            raise ValueError(
                f"{operand.name} ({describe(view.shape)}) has strides of {view.strides} elements: its "
                f"{'columns' if operand.by_columns else 'rows'} overlap"
            )
        by = f"{operand.name} ({describe(view.shape)})"
        for name, value in zip(operand.sizes, (rows, columns, leading)):
            self.give(name, value, by)

    def _read_planes(self, operand, view):
        """Of three or four dimensions: elements of the last one (column-major: the first) lie side by side."""
        shape, strides, rank = view.shape, view.strides, operand.rank
        inward = list(range(rank)) if operand.by_columns else list(range(rank))[::-1]
        by, within = f"{operand.name} ({describe(shape)})", inward[0]
        some = all(shape)
        if some and shape[within] > 1 and strides[within] != 1:
            raise ValueError(f"{by} is not contiguous along dimension {within}: its strides are {strides} elements")
        names, least = dict(zip(sorted(inward[1:]), operand.strides)), max(shape[within], 1)
        for d in inward[1:]:
            stride = strides[d] if some and shape[d] > 1 else least
            if stride < least:
                raise ValueError(f"{by} has strides of {strides} elements: parts of dimension {d} overlap")
            self.give(names[d], stride, by)
            least = stride * max(shape[d], 1)
        for name, value in zip(operand.shape, shape):
            self.give(name, value, by)

    def follow(self):
        """Adds the sizes that follow: times * product of factors + plus + more * addend, or the one that such a rule lacks."""
        found = True
        while found:
            found = any([self._follow(o) for o in self.operands.values() if o.kind == "size" and o.times])

    def _follow(self, o):
        unknown = [f for f in o.follows_from if f not in self.values]
        plus, product = o.plus + o.more * self.values.get(o.addend, 0), o.times
        for f in o.factors:
            product *= self.values.get(f, 1)
        if not unknown and o.name not in self.values:
            self.give(o.name, product + plus, "the other arguments")
            return True
        if len(unknown) == 1 and o.name in self.values:
            lacks_addend = unknown[0] == o.addend
            rest, by = self.values[o.name] - plus - (product if lacks_addend else 0), o.more if lacks_addend else product
            value, left = divmod(rest, by) if by else (-1, 0)
            if left == 0 and value >= 0:
                self.give(unknown[0], value, self.said_by[o.name])
                return True
        return False

    def shape_of(self, operand):
        """The shape of an array that was left out; TypeError if a size is not known."""
        sizes = operand.shape
        for name in sizes:
            if name not in self.values:
                raise TypeError(
                    f"{operand.name} is needed: how long it is ({name}) does not follow from the other arguments; "
                    f"pass {operand.name}, or {name}="
                )
            if self.values[name] < 0:
                raise ValueError(
                    f"{operand.name} would have {name} = {self.values[name]}, which follows from "
                    f"{', '.join(self.operands[name].follows_from)}"
                )
        return tuple(self.values[name] for name in sizes)
