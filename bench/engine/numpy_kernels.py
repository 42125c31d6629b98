"""Compute convolution and pooling with the fastest known NumPy code, for `bench_numpy_manual.py`."""

import common  # noqa: F401  (sets the thread environment before numpy loads)

import numpy as np
from numpy.lib.stride_tricks import as_strided

f32 = np.float32


def _pad(x, p):
    if not p:
        return x
    N, C, H, W = x.shape
    out = np.zeros((N, C, H + 2 * p, W + 2 * p), x.dtype)
    out[:, :, p:-p, p:-p] = x
    return out


def _windows_along_width(xp, k):
    """Return the windows of length k along the width of a padded input, as a view of shape (N, C, k, H, OW)."""
    N, C, H, W = xp.shape
    s = xp.strides
    return as_strided(xp, (N, C, k, H, W - k + 1), (s[0], s[1], s[3], s[2], s[3]), writeable=False)


def convolve(x, w, p):
    """Return the convolution of x (N, C, H, W) and w (K, C, k, k) with padding p, of shape (N, K, OH, OW).

    It is a sum of matrix products, one for each row of the kernel. The matrices contain the windows along the width only, so they take
    k times the memory of the input, not k * k times."""
    K, C, k, _ = w.shape
    win = _windows_along_width(_pad(x, p), k)
    N, _, _, H, OW = win.shape
    OH = H - k + 1
    col = np.empty((C, k, H, OW), x.dtype)
    c2 = col.reshape(C * k, H * OW)
    wr = np.ascontiguousarray(w.transpose(2, 0, 1, 3)).reshape(k, K, C * k)
    y = np.empty((N, K, OH * OW), x.dtype)
    tmp = np.empty((K, OH * OW), x.dtype)
    for n in range(N):
        np.copyto(col, win[n])
        np.matmul(wr[0], c2[:, :OH * OW], out=y[n])
        for i in range(1, k):
            np.matmul(wr[i], c2[:, i * OW:(i + OH) * OW], out=tmp)
            y[n] += tmp
    return y.reshape(N, K, OH, OW)


def convolve_backward(x, w, p, gy, dx):
    """Return the gradients of x and w, the inputs of `convolve`, from gy, the gradient of its output.

    If dx is false, the gradient of x is None; else the padding p must be less than k."""
    K, C, k, _ = w.shape
    win = _windows_along_width(_pad(x, p), k)
    N, _, _, H, OW = win.shape
    OH = H - k + 1
    col = np.empty((C, k, H, OW), x.dtype)
    c2 = col.reshape(C * k, H * OW)
    g2 = gy.reshape(N, K, -1)
    dw = np.zeros((k, K, C * k), x.dtype)
    t = np.empty((K, C * k), x.dtype)
    for n in range(N):
        np.copyto(col, win[n])
        for i in range(k):
            np.matmul(g2[n], c2[:, i * OW:(i + OH) * OW].T, out=t)
            dw[i] += t
    dw = np.ascontiguousarray(dw.reshape(k, K, C, k).transpose(1, 2, 0, 3))
    if not dx:
        return None, dw
    wf = np.ascontiguousarray(w[:, :, ::-1, ::-1].transpose(1, 0, 2, 3))
    return convolve(gy, wf, k - 1 - p), dw


def columns(a, k):
    """Copy the k x k windows of a (C, H, W, N) into columns.

    Return (matrix, OH, OW): the matrix has shape (C k k, OH OW N), with OH = H - k + 1 and OW = W - k + 1."""
    C, H, W, N = a.shape
    s = a.strides
    OH, OW = H - k + 1, W - k + 1
    v = as_strided(a, (C, k, k, OH, OW * N), (s[0], s[1], s[2], s[1], a.itemsize), writeable=False)
    return np.ascontiguousarray(v).reshape(C * k * k, OH * OW * N), OH, OW


def _quads(x):
    return [x[:, :, i::2, j::2] for i in (0, 1) for j in (0, 1)]


def max_pool(x, g):
    """Return 2x2 max pooling of x (N, C, H, W), and the gradient of x from g, the gradient of the result.

    x and g must be float32, H and W even.
    As in torch, the first maximum of a window receives the gradient. The bits of `g` are multiplied by 0 or 1 as integers,
    because a product of the numbers would turn an infinite gradient into NaN.
    """
    a, b, c, d = _quads(x)
    y = np.maximum(np.maximum(a, b), np.maximum(c, d))
    gx = np.empty_like(x)
    gi = g.view(np.int32)
    oa, ob, oc, od = _quads(gx.view(np.int32))
    m = a == y
    free = ~m
    np.multiply(gi, m, out=oa)
    m = (b == y) & free
    np.multiply(gi, m, out=ob)
    free &= ~m
    m = (c == y) & free
    np.multiply(gi, m, out=oc)
    free &= ~m
    np.multiply(gi, free, out=od)
    return y, gx


def average_pool(x, g):
    """Return 2x2 average pooling of x (N, C, H, W), with even H and W, and the gradient of x from g, the gradient of the result."""
    a, b, c, d = _quads(x)
    y = a + b
    y += c
    y += d
    y *= f32(0.25)
    gx = np.empty_like(x)
    q = g * f32(0.25)
    for o in _quads(gx):
        o[...] = q
    return y, gx
