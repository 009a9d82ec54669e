// What every part of the bench shares: medians, spreads, and rows of a table.

/** The middle of some numbers, and how far the middle half of them spreads. */
export function summary(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { median: at(0.5), low: at(0.25), high: at(0.75) }
}

/** A number that was measured once. */
export const one = (value) => ({ median: value, low: value, high: value })

/** Milliseconds that something takes, each time it is done. */
export function timesOf(rounds, run) {
  return Array.from({ length: rounds }, (_, round) => {
    const start = performance.now()
    run(round)
    return performance.now() - start
  })
}

/** Microseconds for one of many in a row. */
export function perCall(count, run) {
  const start = performance.now()
  for (let index = 0; index < count; index++) run(index)
  return ((performance.now() - start) * 1000) / count
}

/** The lines whose goal was missed. */
export const missed = []

/** One line of the report: what, how much, the goal, and whether it is reached. */
export function line(what, { median, low, high }, unit, goal) {
  const shown = `${number(median)} ${unit} (${number(low)} to ${number(high)})`
  const isReached = goal === undefined || goal.holds(median)
  const verdict = goal === undefined ? '' : ` | ${goal.text} ${isReached ? 'reached' : 'MISSED'}`
  console.log(`  ${what.padEnd(44)} ${shown}${verdict}`)
  if (!isReached) missed.push(`${what}: ${shown}, ${goal.text}`)
  return isReached
}

export const atMost = (limit, unit = '') => ({
  text: `≤ ${limit}${unit}`,
  holds: (value) => value <= limit,
})
export const atLeast = (limit) => ({ text: `≥ ${limit}`, holds: (value) => value >= limit })

export function number(value) {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(3)
}
