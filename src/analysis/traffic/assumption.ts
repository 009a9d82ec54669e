import { formatCount, shortList } from '../../utils/count.ts'
import { inspectValue } from '../../utils/errors.ts'

/** A value of a derived world that the traffic does not show. */
export interface Assumption {
  /** The path of the value in the world, such as `annotations[id=2].content`, or of a request, such as `requests[3].phase` */
  readonly field: string
  readonly value: unknown
  /** Why it is not known, as a sentence */
  readonly because: string
}

/** The number of assumptions that are listed. */
const maxAssumptions = 5

/** Describes the first assumptions, each in a line. */
export function describeAssumptions(assumptions: readonly Assumption[]): string[] {
  const lines = assumptions.map(
    (assumption) => `Assumed: ${describeAssumption(assumption)}. ${assumption.because}`,
  )
  return shortList(
    lines,
    maxAssumptions,
    (rest) => `and ${formatCount(rest, 'more assumption')}. --json lists all of them.`,
  )
}

/** A field has a value. A whole row, such as `organizations[id=1]`, has none that is worth reading. */
function describeAssumption({ field, value }: Assumption): string {
  return field.endsWith(']') ? `the world has ${field}` : `${field} is ${inspectValue(value)}`
}
