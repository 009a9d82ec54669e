import type { AnswerDifference, Differences } from '../fit/answer-differences.ts'
import { type Signature, valueIn, wrongKeyElsewhere } from './signature.ts'

/** An error with one of these causes shows nothing else of its request. */
const otherCauses: readonly unknown[] = ['unknown path', 'missing key', 'wrong key']

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
  if (seen.status !== simulated.status) {
    const words = { part: 'status', got: `${seen.code}`, simulated: `${simulated.code}` }
    const { refused } = simulated
    const difference = { kind: 'status', simulated: words.simulated, refused } as const
    return differences.set('status', { ...difference, words: () => words })
  }
  for (const name of new Set([...seen.parts.keys(), ...simulated.parts.keys()])) {
    const [got, other] = [seen.parts.get(name), simulated.parts.get(name)]
    // A header that is not there, and an id that is not 0, are the same as none.
    const absent = got?.kind === 'hint' ? false : undefined
    const isAnyWrongKey = other?.value === wrongKeyElsewhere && got?.value !== 'missing key'
    const isSame = isAnyWrongKey || got?.value === (other?.value ?? absent)
    if (isSame || !isCompared(name, seen, simulated)) continue
    const { kind = 'hint', told = name } = other ?? got ?? {}
    const isField = kind === 'field' || kind === 'listed'
    // Another kind of value of another kind of body is one difference.
    const isUntold =
      (isField && isOfContent(`${told}`)) || (name === 'shape' && differences.has('body'))
    const isCertain = name === 'cause' && otherCauses.includes(got?.value)
    const part = isUntold || got?.told === null ? null : told
    const words = { got: textOf(got?.value), simulated: textOf(other?.value) }
    differences.set(name, {
      kind: kind === 'listed' ? 'shown' : isCertain ? 'certain' : kind,
      simulated: words.simulated,
      ...traits[name],
      words: part === null ? null : () => ({ part, ...words }),
    })
  }
  return differences
}

/** Whether both sides can show a part. */
function isCompared(name: string, seen: Signature, simulated: Signature) {
  const [got, other] = [seen.parts.get(name), simulated.parts.get(name)]
  const { kind } = other ?? got ?? {}
  if (kind !== 'field' && kind !== 'listed') {
    // A simulator has each header that it does not show, and no cause of an error without words.
    const isAbsent = kind === 'hint' && name !== 'cause'
    return got !== undefined && (other !== undefined || isAbsent)
  }
  // Another kind of body has other fields of course.
  if (valueIn(seen, 'shape') !== valueIn(simulated, 'shape')) return false
  const hasFields = (signature: Signature, beginning: string) =>
    [...signature.parts].some(
      ([name, part]) => part.kind === kind && name.startsWith(`field ${beginning}`),
    )
  // Those of a row in a row count only if both show such a row, and those of rows only if both show rows.
  const parent = /^field (.*?\.)/.exec(name)?.[1] ?? ''
  return (kind === 'field' && parent === '') || hasFields(got ? simulated : seen, parent)
}

function textOf(value: string | number | boolean | undefined) {
  return typeof value === 'string' || typeof value === 'number'
    ? `${value}`
    : value
      ? 'present'
      : 'absent'
}
