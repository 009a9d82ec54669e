import { unknownWord } from '../utils/errors.ts'
import { escapeControls } from '../utils/escape.ts'
import { formatFinding, type RequestFinding } from '../utils/reports/report.ts'

/** What is done about mistakes of clients: nothing, lines at the end, or lines and a failure. Notes never fail. */
export type MistakeMode = (typeof mistakeModes)[number]

export const mistakeModes = ['off', 'print', 'fail'] as const

/** @throws UsageError with the three modes */
export function parseMistakeMode(mode: string): MistakeMode {
  if (mistakeModes.includes(mode as MistakeMode)) return mode as MistakeMode
  throw unknownWord('choose what is done about mistakes', mistakeModes, mode, 'mistakes')
}

/** How many mistakes of a rule are shown. */
const maxShown = 3

/**
 * Shows mistakes with their requests and cures: those that fail a run, then the notes.
 *
 * @example
 * // Mistakes of the client:
 * //   swallowed-delete: Annotation 1 was not deleted, and the client did not delete it with PATCH.
 * //     entry 3: DELETE /api/projects/1/annotations/1/ → 405
 * //   Send PATCH with {"deleted": true}. Annotations are never deleted for good.
 */
export function describeMistakes(mistakes: readonly RequestFinding[]): string[] {
  return toSections(mistakes, (rule, group) => {
    const shown = group.slice(0, maxShown).flatMap((mistake) => {
      return formatFinding({ ...mistake, message: `${rule}: ${mistake.message}` })
    })
    const rest = group.length - maxShown
    return rest > 0 ? [...shown, `${rule}: and ${rest} more`] : shown
  })
}

/**
 * Says which kinds of mistakes there are: a line for each rule, with the first place.
 *
 * @example
 * // Mistakes of the client:
 * //   repeated-create, 2 times, first in "saves a note": The client got no complete response for a create, and sent it again.
 */
export function listMistakes(mistakes: readonly RequestFinding[]): string[] {
  return toSections(mistakes, (rule, [first, ...others]) => {
    const times = others.reduce((sum, mistake) => sum + mistake.times, first.times)
    const where = JSON.stringify(first.tests?.[0] ?? first.details[0])
    return [
      `${rule}, ${times === 1 ? 'once' : `${times} times, first`} in ${where}: ${first.message}`,
    ]
  })
}

/** Whether it fails a run. A note can be on purpose. */
export function isFailing({ level }: Pick<RequestFinding, 'level'>): boolean {
  return level !== 'note'
}

type Group = readonly [RequestFinding, ...RequestFinding[]]

function toSections(
  mistakes: readonly RequestFinding[],
  toLines: (rule: string, group: Group) => readonly string[],
): string[] {
  const [failing, notes] = [
    mistakes.filter(isFailing),
    mistakes.filter((mistake) => !isFailing(mistake)),
  ]
  return [
    ...toSection('Mistakes of the client:', failing, toLines),
    ...toSection('Notes about the client, which can be on purpose:', notes, toLines),
  ]
}

function toSection(
  title: string,
  mistakes: readonly RequestFinding[],
  toLines: (rule: string, group: Group) => readonly string[],
): string[] {
  const rules = [...new Set(mistakes.map(({ rule }) => rule))]
  const lines = rules.flatMap((rule) =>
    toLines(rule, mistakes.filter((mistake) => mistake.rule === rule) as unknown as Group),
  )
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${escapeControls(line)}`)]
}
