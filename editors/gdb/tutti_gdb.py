"""Pretty printers of GDB for Tutti's arrays: `print a` shows type, shape and the first elements.

Installed beside the library under the name that GDB loads by itself. Elements are asked of the
library in the running process, so nothing needs its debug information. Nothing is computed: an array
that has not been evaluated is shown as such.
"""
import gdb
import gdb.printing


class ArrayPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        nodes = self.value["nodes_"]["_M_elems"]
        count = nodes.type.strip_typedefs().range()[1] + 1
        texts = [self.text_of(nodes[i]["node_"]) for i in range(count)]
        return texts[0] if count == 1 else "(" + ", ".join(texts) + ")"

    @staticmethod
    def text_of(node):
        try:
            function = "'tutti::debug_text(void const*)'"
            call = "((const char* (*)(const void*))%s)((const void*)%d)" % (function, int(node))
            return gdb.parse_and_eval(call).string()
        except gdb.error as problem:
            return "<array; its elements need a running process: %s>" % problem


def build():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("tutti")
    printers.add_printer("Array", "^tutti::Array<.*>$", ArrayPrinter)
    return printers


gdb.printing.register_pretty_printer(gdb.current_objfile(), build(), replace=True)
