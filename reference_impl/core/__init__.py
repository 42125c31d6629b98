"""The core: tensors, the graph, the backward pass, and the common operations. Read it in one sitting, in this order:

    node, hooks     the graph: Node, AccumulateGrad, and hooks on them
    record          how an operation becomes a node
    backward        the loop
    differentiate   `backward` and `grad`: from tensors to the loop
    tensor          a tensor: an array, a place in the graph, a version
    arrays          shape, dtype and values of a tensor
    modes           is recording on?
    saving          saved tensors, and the check that they are unchanged
    views           views and their bases; CopySlices
    inplace         in-place operations, all by one rule
    declare         an operation: its forward, and beside it the gradient of each input
    operations/     arithmetic, reductions, shapes, indexing, creation
    extensions      the slots that other packages fill

The order is that of a lesson, not that of imports: a file may use names of a later one, which the text beside them explains. `node`
comes first because everything else makes nodes or runs them, `tensor` late because the graph needs of a tensor only its place in it.

The core imports NumPy and the modules for dtypes, printing and random numbers. Everything else in this engine is built on it. Other
packages extend it in one place, `extensions`: slots that the core calls, each filled once while the engine is imported.

    slot                                filled by                   with
    address_of, add_at, to_leaf         _tensor                     arrays on other devices
    operands, cast                      ops.promotion               devices, and orders in memory
    exp, log                            ops.elementwise             functions that round the last bit of float32 as torch does
    check_memory                        ops.overlap                 torch's checks of memory that tensors share
    no_version                          autograd.grad_mode          the version of tensors made in inference mode
    apply_pack_hooks,                   autograd.saved_hooks        hooks on saved tensors
        without_pack_hooks,
        unpack_hooks, node_class_made
    before_write                        autograd.graph              `allow_mutation_on_saved_tensors`
    node_recorded, observed_pass        autograd.anomaly_mode       anomaly detection, and recorders of passes
    replaced                            autograd.hook_results       checks of the results of hooks
    ready_queue                         autograd.ready_queue        torch's order of nodes that are ready at once
    backward_pass                       fast.passes                 a faster loop with the same results

A program switches a state on and off (`extensions.states`, `modes.mode`), never a function. `fast` replaces some functions by twins,
unless REFERENCE_IMPL_FAST=0 is in the environment: then each function of the core is the one in these files.
"""
