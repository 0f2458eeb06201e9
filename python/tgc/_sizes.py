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
        """The sizes of an array that was given: its elements, or rows, columns and leading dimension."""
        rank = {0: 0, 1: 1, 3: 2}[len(operand.sizes)]
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

    def follow(self):
        """Adds the sizes that follow: times * product of factors + plus, or the one factor that such a rule lacks."""
        found = True
        while found:
            found = any([self._follow(o) for o in self.operands.values() if o.kind == "size" and o.times])

    def _follow(self, o):
        unknown = [f for f in o.factors if f not in self.values]
        product = o.times
        for f in o.factors:
            product *= self.values.get(f, 1)
        if not unknown and o.name not in self.values:
            self.give(o.name, product + o.plus, "the other arguments")
            return True
        if len(unknown) == 1 and o.name in self.values and product:
            value, left = divmod(self.values[o.name] - o.plus, product)
            if left == 0 and value >= 0:
                self.give(unknown[0], value, self.said_by[o.name])
                return True
        return False

    def shape_of(self, operand):
        """The shape of an array that was left out; TypeError if a size is not known."""
        sizes = operand.sizes[:2]
        for name in sizes:
            if name not in self.values:
                raise TypeError(
                    f"{operand.name} is needed: how long it is ({name}) does not follow from the other arguments; "
                    f"pass {operand.name}, or {name}="
                )
            if self.values[name] < 0:
                raise ValueError(
                    f"{operand.name} would have {name} = {self.values[name]}, which follows from "
                    f"{', '.join(self.operands[name].factors)}"
                )
        return tuple(self.values[name] for name in sizes)
