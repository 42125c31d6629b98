START = 1


def run():
    return START
