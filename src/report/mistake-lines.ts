import { type FindingLevel, formatFinding, type RequestFinding } from '../utils/reports/report.ts'
import { escapeControls, shortList } from '../utils/text.ts'

/** What is done about client mistakes: nothing, lines at the end, or lines and a failure. Notes never fail. */
export type MistakeMode = (typeof mistakeModes)[number]

export const mistakeModes = ['off', 'print', 'fail'] as const

const maxShown = 3

/** How many tests, and how many further mistakes, a line names. */
const maxPlaces = 20

/**
 * Shows mistakes with their requests and cures: those that fail a run, then the notes.
 *
 * @param shown how many per rule in full, others by message
 * @example
 * // Client mistakes:
 * //   swallowed-delete: Annotation 1 was not deleted, and the client has not deleted it with PATCH so far.
 * //     entry 3: 405 DELETE /api/projects/1/annotations/1/
 * //   Send PATCH with {"deleted": true}. …
 */
export function describeMistakes(
  mistakes: readonly RequestFinding[],
  shown: number = maxShown,
): string[] {
  return toSections(mistakes, shown, (mistake) => {
    const { rule, message, times, tests = [] } = mistake
    const often = times > 1 ? `, ${times} times` : ''
    // A detail names the test of its request, but only few requests are shown.
    const places = tests.length > 1 ? ` (in ${placesOf([mistake])})` : ''
    return formatFinding({ ...mistake, message: `${rule}${often}: ${message}${places}` })
  })
}

/**
 * Says which mistakes there are: a line for each, with its tests.
 *
 * @example
 * // Client mistakes:
 * //   repeated-create, 2 times in "saves a note": The client got no complete response for a create, and sent it again.
 */
export function listMistakes(mistakes: readonly RequestFinding[]): string[] {
  return toSections(mistakes, maxShown, (mistake) => {
    const { rule, times, tests, message, details } = mistake
    const count = `${rule}, ${times === 1 ? 'once' : `${times} times`}`
    return tests
      ? [`${count} in ${placesOf([mistake])}: ${message}`]
      : [`${count}: ${message} (${details[0]})`]
  })
}

/** The tests of mistakes, or else their first requests. */
function placesOf(mistakes: readonly RequestFinding[]) {
  const places = mistakes.flatMap(({ tests, details }) => tests ?? details.slice(0, 1))
  const names = [...new Set(places)].map((place) => JSON.stringify(place))
  return shortList(names, maxPlaces).join(', ')
}

/** Whether it fails a run. A note can be on purpose. */
export function isFailing({ level }: Pick<RequestFinding, 'level'>): boolean {
  return level !== 'note'
}

function toSections(
  mistakes: readonly RequestFinding[],
  shown: number,
  toLines: (mistake: RequestFinding) => readonly string[],
) {
  const ofLevels = (...levels: readonly FindingLevel[]) =>
    levels.flatMap((level) => mistakes.filter((mistake) => mistake.level === level))
  const sections = [
    ['Client mistakes:', ofLevels('error', 'warning')],
    ['Notes about the client, which can be on purpose:', ofLevels('note')],
  ] as const
  return sections.flatMap(([title, found]) => {
    const rules = [...new Set(found.map(({ rule }) => rule))]
    const lines = rules.flatMap((rule) => {
      const ofRule = found.filter((mistake) => mistake.rule === rule)
      const rest = ofRule.slice(shown)
      const first = ofRule.slice(0, shown).flatMap(toLines)
      if (rest.length === 0) return first
      const messages = rest.map(({ message }) => message)
      const named = shortList(messages, maxPlaces).join(' ')
      return [...first, `${rule}: and ${rest.length} more, in ${placesOf(rest)}: ${named}`]
    })
    return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${escapeControls(line)}`)]
  })
}
