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

It imports NumPy and the rooms for dtypes, printing and random numbers, and is the specification: `fast` replaces some of its
functions by others that give the same in less time, and everything else in this engine is built on it. What others add comes through
seams, module variables that the core asks:

    arrays.address_of, add_at                       devices
    tensor.Tensor._wrap, _version                   inference mode
    node.Node.unpacked, on_its_device               hooks on saved tensors; devices
    modes.set_enabled, modes.asked                  inference mode
    saving.after_saving, saving.hint                hooks on saved tensors; anomaly detection
    record.on_record                                anomaly detection
    views.creation_now, views.REASONS, views.MODES  inference mode, Function
    inplace.compute, save_old_value, save_new_value hooks on saved tensors
    inplace.before_write, inplace.check_memory      `allow_mutation_on_saved_tensors`; memory that tensors share
    backward.pass_class, replaced, queue_class      traces, anomaly detection; what hooks may return; the order of equals
    declare.operands, declare.cast                  devices, and orders in memory
    operations.arithmetic.array_exp, array_log      the last bit of float32
"""
