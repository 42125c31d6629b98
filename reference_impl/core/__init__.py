"""The core: tensors, the graph, the backward pass, and the operations of every day. To be read in one sitting, in this order:

    arrays          what a tensor says of its array
    tensor          what a tensor is: an array, a place in the graph, a version
    modes           is recording on?
    node, hooks     the graph: Node, AccumulateGrad, and who looks on
    saving          what a node keeps, and the check that nobody changed it
    record          how an operation becomes a node
    views           views and their bases; CopySlices
    inplace         in-place operations, all by one rule
    backward        the loop
    differentiate   `backward` and `grad`: from tensors to the loop
    declare         an operation: its forward, and beside it the gradient of each input
    operations/     arithmetic, reductions, shapes, indexing, creation
    extensions      where others extend all this

It imports NumPy and the rooms for dtypes, printing and random numbers, and everything else in this engine is built on it. Others
extend it in one place, `extensions`: slots, which the core calls, each filled once while the engine is imported.

    slot                                filled by                   with
    address_of, add_at, to_leaf         _tensor                     arrays on other devices
    operands, cast                      ops.promotion               devices, and orders in memory
    exp, log                            ops.elementwise             functions that round the last bit of float32 as torch does
    check_memory                        ops.overlap                 what torch says of memory that tensors share
    no_version                          autograd.grad_mode          the version of tensors made in inference mode
    pack, without_packing, unpacked,    autograd.saved_hooks        hooks on saved tensors
        node_class_made
    before_write                        autograd.graph              `allow_mutation_on_saved_tensors`
    node_recorded, observed_pass        autograd.anomaly_mode       anomaly detection, and recorders of passes
    replaced                            autograd.hook_results       what hooks may return
    ready_queue                         autograd.ready_queue        torch's order of equals
    backward_pass                       fast.passes                 a loop that gives the same in less time

What a program switches on and off is a state (`extensions.states`, `modes.mode`), never another function. `fast` puts twins of some
functions in their place, unless REFERENCE_IMPL_FAST=0 is in the environment: then each function of the core is what is written here.
"""
