// For `node --import`: `performance.now()` of the process runs 1,000 times as fast.
const now = performance.now.bind(performance)
performance.now = () => 1_000 * now()
