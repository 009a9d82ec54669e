import type { AnswerDifference, Differences } from '../fit/answer-differences.ts'
import type { Part, Signature } from './signature.ts'

type FieldNames = Signature['fields']

/** An error that is worded like one of these has that cause. */
const otherCauses = ['like unknown path', 'like missing key', 'like wrong key']

/** The name of each part in a report. A report leaves out a part without a name. */
const namesOfParts: Readonly<Record<string, string>> = {
  shape: 'kind of body',
  form: 'error',
  'form of a refusal': 'error',
  limit: 'limit in the link to the page before',
  allow: 'header allow',
  location: 'header location',
  'www-authenticate': 'header www-authenticate',
}

/**
 * The only setting that a part says something about. By default any setting. Many services word the refusal of a
 * key in another way than their other errors.
 */
const traits: Readonly<Record<string, Pick<AnswerDifference, 'subject' | 'isMinor'>>> = {
  form: { subject: 'errors.body' },
  'form of a refusal': { subject: 'errors.body', isMinor: true },
}

/**
 * Where a simulated answer is another one. What only one side can show is left out: a proxy answers in its own words, and
 * a server has fields of its own.
 *
 * @param isOfContent whether a field depends on the rows, not on the service
 */
export function differencesOf(
  seen: Signature,
  simulated: Signature,
  isOfContent: (field: string) => boolean = () => false,
): Differences {
  const differences = new Map<string, AnswerDifference>()
  const add = (
    name: string,
    kind: AnswerDifference['kind'],
    [got, other]: readonly [Part | undefined, Part | undefined],
    part: string | null,
    refused: readonly string[] = [],
  ): void => {
    const isShown = part !== null && got !== undefined
    const shown = { got: textOf(got), simulated: textOf(other) }
    differences.set(name, {
      ...{ kind, simulated: shown.simulated, refused },
      ...traits[name],
      words: isShown ? () => ({ part, ...shown }) : null,
    })
  }
  if (seen.status !== simulated.status) {
    const statuses = [seen.shown.status ?? seen.status, simulated.shown.status] as const
    add('status', 'status', statuses, 'status', simulated.refused)
    return differences
  }
  for (const [name, value] of Object.entries(simulated.shown)) {
    const { [name]: got } = seen.shown
    // What is in such a field depends on the rows, and so does its type.
    const isContent = isOfContent(`${name.replace('type of ', '')}.`)
    if (got !== undefined && got !== value && !isContent) {
      add(`shown ${name}`, 'shown', [got, value], name)
    }
  }
  const isOtherBody = seen.certain.body !== simulated.certain.body
  const isWithout = [seen, simulated].some(({ shown }) => shown.status === 204)
  for (const [name, value] of Object.entries(simulated.certain)) {
    const { [name]: got } = seen.certain
    // That a 204 has no body is told by the status.
    const part = name !== 'body' ? 'rows of the list' : isWithout ? null : name
    // A list says nothing of a row that the server did not confirm.
    if (got !== undefined && got !== value) add(`certain ${name}`, 'certain', [got, value], part)
  }
  for (const [name, value] of Object.entries(simulated.kept)) {
    const { [name]: got } = seen.kept
    if (got === undefined || got === value) continue
    add(`kept ${name}`, 'kept', [keptWords(got), keptWords(value)], `field ${name}`)
  }
  for (const [name, got] of Object.entries(seen.parts)) {
    const value = simulated.parts[name] ?? false
    // A simulated error without words is like no other one, nor unlike it.
    if (got === value || (name.startsWith('like ') && !(name in simulated.parts))) continue
    const kind = got && otherCauses.includes(name) ? 'certain' : 'hint'
    const isTold = name === 'shape' && isOtherBody
    add(name, kind, [got, value], isTold ? null : (namesOfParts[name] ?? null))
  }
  // Another kind of body has other fields of course.
  if (seen.parts.shape !== simulated.parts.shape) return differences
  const addFields = (kind: 'field' | 'shown', got: FieldNames, others: FieldNames): void => {
    for (const isSeen of [true, false]) {
      for (const name of isSeen ? fieldsOnlyIn(got, others) : fieldsOnlyIn(others, got)) {
        add(`field ${name}`, kind, [isSeen, !isSeen], isOfContent(name) ? null : name)
      }
    }
  }
  addFields('field', seen.fields, simulated.fields)
  // A list without rows shows no field of them.
  if (seen.listed.size > 0 && simulated.listed.size > 0) {
    addFields('shown', seen.listed, simulated.listed)
  }
  return differences
}

function keptWords(isKept: boolean): string {
  return isKept ? 'as it was sent' : 'another value'
}

function textOf(value: Part | undefined): string {
  return typeof value === 'boolean' ? (value ? 'present' : 'absent') : `${value}`
}

/** The fields that only one of two answers has. Those of a row in a row count only if both show such a row. */
function fieldsOnlyIn(names: FieldNames, other: FieldNames): string[] {
  const parents = new Set([...other].flatMap((name) => parentOf(name) ?? []))
  return [...names].filter((name) => {
    const parent = parentOf(name)
    return !other.has(name) && (parent === null || parents.has(parent))
  })
}

function parentOf(field: string): string | null {
  return field.includes('.') ? (field.split('.')[0] as string) : null
}
