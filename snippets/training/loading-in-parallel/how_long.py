"""The time of an epoch falls with the number of workers until reading is as fast as training."""
# covers: data.tf-prefetch

read, train, batches = 3, 1, 12


def epoch(workers):
    """Seconds of waiting and of training in an epoch."""
    time = waiting = 0
    for number in range(batches):
        if workers == 0:
            ready = time + read
        else:  # the workers take turns, and each begins its next batch when it has read one
            ready = (number // workers + 1) * read
        waiting += max(0, ready - time)
        time = max(time, ready) + train
    return {"waiting": waiting, "training": time - waiting}


epochs = {f"workers: {workers}": epoch(workers) for workers in (0, 1, 2, 3, 4)}
for name, parts in epochs.items():
    print(name, parts, sum(parts.values()))
#> workers: 0 {'waiting': 36, 'training': 12} 48
#> workers: 1 {'waiting': 25, 'training': 12} 37
#> workers: 2 {'waiting': 8, 'training': 12} 20
#> workers: 3 {'waiting': 3, 'training': 12} 15
#> workers: 4 {'waiting': 3, 'training': 12} 15
