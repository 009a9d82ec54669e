// Lets `performance.now()` of this process run 1,000 times as fast.
const now = performance.now.bind(performance)
performance.now = () => 1_000 * now()
