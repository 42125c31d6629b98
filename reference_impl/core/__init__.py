"""The core: tensors, the graph, the backward pass, and the common operations. Read it in one sitting, in this order:

    node, hooks     the graph: Node, AccumulateGrad, and hooks on them
    record          how an operation becomes a node
    backward        the loop
    differentiate   `backward` and `grad`: from tensors to the loop
    tensor          a tensor: an array, its node in the graph, a version
    arrays          shape, dtype and values of a tensor
    modes           switch recording on and off
    saving          saved tensors, and the check that they are unchanged
    views           views and their bases; CopySlices
    inplace         in-place operations, all by one rule
    declare         declare an operation: its forward and the gradient of each input
    operations/     arithmetic, reductions, shapes, indexing, creation, random numbers
    extensions      the slots that other packages fill

This is an order for readers, not the order of the imports: a file may use names of a later file, and then explains them. `node`
comes first because all other files create nodes or run them. `tensor` comes late: the graph uses only the node of a tensor.

The core imports NumPy and the modules for dtypes, printing and random numbers. Everything else in this engine is built on the core.
Other packages extend the core through the slots of `extensions`. A slot is a function or class that the core uses and that another
package may replace, once, while the engine is imported.

    slot                                filled by                   with
    address_of, add_at, to_leaf         _tensor                     arrays on other devices
    operands, cast                      ops.promotion               devices, and memory order
    exp, log                            numerics.precision          functions that round the last bit of float32 as torch does
    check_memory                        ops.overlap                 torch's checks of memory that tensors share
    no_version                          autograd.grad_mode          the version of tensors made in inference mode
    apply_pack_hooks,                   autograd.saved_hooks        hooks on saved tensors
        without_pack_hooks,
        unpack_hooks, node_class_created
    before_write                        autograd.graph              `allow_mutation_on_saved_tensors`
    node_recorded, observed_pass        autograd.anomaly_mode       anomaly detection, and recorders of passes
    hook_result                         autograd.hook_results       checks of the results of hooks
    ready_queue                         autograd.ready_queue        torch's order of nodes that are ready at once

While a program runs, states change (`extensions.states`, `modes.mode`), but never slots or functions. During the import, `fast` replaces
some functions by faster ones. With REFERENCE_IMPL_FAST=0 in the environment it replaces none, and the functions in these files run.
"""
