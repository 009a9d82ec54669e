import { inspectValue } from '../usage-error.ts'
import { differenceLines } from './differences.ts'
import type { ExpectedRequest } from './expectation.ts'
import { matchesStatus } from './filter.ts'
import { decodeRequestBody } from './message.ts'
import type { JournalRecord } from './record.ts'
import { documentedOperation, type Renderer } from './renderer.ts'

/** A request beside what was expected. */
export interface NearMiss {
  /** The id of the entry */
  readonly entry: number
  /** A line for each; empty for a request as expected, where there were too many */
  readonly differences: readonly string[]
}

/** How many near misses are told. */
export const maxNearMisses = 3

/** How a request differs from what was expected. */
export function compareRequest(
  record: JournalRecord,
  expected: ExpectedRequest,
  renderer: Renderer,
): NearMiss {
  return {
    entry: record.id,
    differences: [
      ...headDifferences(record, expected, renderer),
      ...bodyDifferences(record, expected, renderer),
    ],
  }
}

function headDifferences(
  record: JournalRecord,
  { operation, key, status }: ExpectedRequest,
  renderer: Renderer,
): string[] {
  const found: string[] = []
  if (operation !== undefined && record.operation !== operation) {
    found.push(
      `operation: expected ${operation}, got ${documentedOperation(record) ?? describeUnmatched(record, renderer)}`,
    )
  }
  if (key !== undefined && !renderer.hasKey(record, key)) {
    const got = renderer.key(record)
    found.push(
      `key: expected ${renderer.displayKey(key)}, got ${got?.label ?? got?.value ?? 'none'}`,
    )
  }
  if (status !== undefined && !matchesStatus(record.response.status, status)) {
    found.push(`status: expected ${status}, got ${record.response.status}`)
  }
  return found
}

/** No operation, and which was probably meant. */
function describeUnmatched(record: JournalRecord, renderer: Renderer): string {
  const [near] = renderer.nearest(record)
  if (!near) return 'none'
  const asked = `${record.method} ${renderer.redactor.path(record.target.split('?')[0] as string)}`
  return `none; nearest to ${asked} is ${near.route}, ${near.differs}`
}

function bodyDifferences(
  record: JournalRecord,
  { body: expected }: ExpectedRequest,
  renderer: Renderer,
): string[] {
  if (expected === undefined) return []
  const { redactor } = renderer
  const got = decodeRequestBody(record)
  if ('value' in got) return differenceLines(expected, got.value, 'body', redactor)
  const wanted = inspectValue(redactor.part(expected, []))
  return [`body: expected ${wanted}, got ${got.omitted} bytes that were not kept`]
}

/** Those with the fewest differences first. */
export function nearestMisses(misses: readonly NearMiss[]): NearMiss[] {
  return misses
    .filter((miss) => miss.differences.length > 0)
    .sort((a, b) => missDistance(a) - missDistance(b) || b.entry - a.entry)
    .slice(0, maxNearMisses)
}

/** Another operation is further away than any number of other fields. */
function missDistance({ differences: lines }: NearMiss): number {
  return lines.length + (lines[0]?.startsWith('operation:') ? 1_000 : 0)
}
