import { useState } from 'preact/hooks'
import { type FailureName, failureFormats } from '../../../http/failures.ts'
import { type FaultPhase, type FaultRule, mutantKinds } from '../../../sandbox/faults/rule.ts'
import { useDashboard, useVocabulary, withoutEmpty } from '../kit/context.ts'
import { Button, Input, Select, useFields } from '../kit/fields.tsx'
import { Form, JsonField, jsonOrText, parseJson } from '../kit/form.tsx'
import { capitalize, describeFault } from '../kit/format.ts'
import { Section } from '../kit/panels.tsx'

/** A form for one rule, or its JSON. A sentence says what the rule will do. */
export function FaultForm() {
  const { faults } = useDashboard().remote
  const { operations = [] } = useVocabulary() ?? {}
  const [draft, field] = useFields(emptyDraft)
  const [json, setJson] = useState<string | null>(null)
  const save = async () => {
    await faults.add(json === null ? toFaultRule(draft) : (parseJson(json) as FaultRule))
    return 'Fault rule added.'
  }
  const operationOptions = [['', 'Any request'] as const, ...operations.map(({ id }) => id)]
  const toggleJson = (
    <Button
      label={json === null ? 'Edit as JSON' : 'Edit as form'}
      onClick={() => setJson(json === null ? JSON.stringify(readRule(draft), null, 2) : null)}
    />
  )
  const { effect } = draft
  return (
    <Section class="card" title="Custom rule">
      <Form save={save} submitLabel="Add rule" actions={toggleJson}>
        {json === null ? (
          <>
            <div class="side-by-side">
              <Select label="Operation" options={operationOptions} {...field('operation')} />
              <Input label="Key (label or value)" placeholder="any" {...field('key')} />
              <Input label="Maximum times" {...countOf(1, 'unlimited')} {...field('times')} />
              <Input
                label="Share of the requests (%)"
                {...countOf(0, '100')}
                max={100}
                {...field('percent')}
              />
            </div>
            <div class="side-by-side">
              <Select label="Effect" groups={effectGroups} {...field('effect')} />
              {effect === 'error throttled' && (
                <Input
                  label="Retry after (s)"
                  {...countOf(0, 'as the policy says')}
                  {...field('retry_after_s')}
                />
              )}
              {effect.startsWith('error ') && (
                <Input label="Sentence of the error" placeholder="as usual" {...field('detail')} />
              )}
              {effect === 'status' && (
                <>
                  <Input
                    label="Status"
                    required
                    {...countOf(200, '')}
                    max={599}
                    {...field('status')}
                  />
                  <Input
                    label="Headers, as JSON"
                    placeholder={'{"retry-after": "5"}'}
                    {...field('headers')}
                  />
                  <Input label="Body: JSON, or any text" {...field('body')} />
                </>
              )}
              {effect in numberLabels && (
                <Input
                  label={numberLabels[effect as keyof typeof numberLabels]}
                  required
                  {...countOf(1, '')}
                  {...field('number')}
                />
              )}
              {!effect.startsWith('mutate ') && (
                <Select label="When" options={phaseOptions} {...field('phase')} />
              )}
              <Input
                label="Delay (ms)"
                required={effect === 'delay'}
                {...countOf(0, 'none')}
                {...field('milliseconds')}
              />
            </div>
            <p class="sentence">{capitalize(describeFault(readRule(draft)))}.</p>
          </>
        ) : (
          <JsonField rows={8} value={json} onChange={setJson} />
        )}
      </Form>
    </Section>
  )
}

const countOf = (min: number, placeholder: string) =>
  ({ type: 'number', min, placeholder }) as const

const emptyDraft = {
  operation: '',
  key: '',
  times: '',
  percent: '',
  /** `error` and its name, `mutate` and a kind of mutant, or the name of another effect */
  effect: 'error server_error',
  phase: 'before' as FaultPhase,
  milliseconds: '',
  retry_after_s: '',
  detail: '',
  status: '503',
  headers: '',
  body: '',
  number: '100',
}

/** The effects that are one number. */
const numberLabels = {
  cut_bytes: 'Bytes until the connection drops',
  slow_bytes_per_s: 'Bytes per second',
  stale: 'How many writes old',
} as const

/** The rule of a form while it is filled in: parts that cannot be read yet are left out. */
function readRule(draft: typeof emptyDraft): FaultRule {
  try {
    return toFaultRule(draft)
  } catch {
    return toFaultRule({ ...draft, headers: '' })
  }
}

/**
 * @throws Error for headers that are not JSON
 * @example toFaultRule({ ...emptyDraft, times: '1' }) // { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } }
 */
function toFaultRule(draft: typeof emptyDraft): FaultRule {
  const { operation, key, times, percent, effect, phase, milliseconds } = draft
  const when = withoutEmpty({
    times: times && Number(times),
    probability: percent && Number(percent) / 100,
  })
  const main = toMainEffect(draft)
  // Some effects have one phase, which is their default.
  const hasPhase =
    !effect.startsWith('mutate ') && !('cut_bytes' in main) && effect !== 'slow_bytes_per_s'
  return {
    ...withoutEmpty({ operation, key, when: Object.keys(when).length > 0 ? when : '' }),
    ...(hasPhase && { phase }),
    effect: { ...main, ...withoutEmpty({ delay_ms: milliseconds && Number(milliseconds) }) },
  } as FaultRule
}

function toMainEffect(draft: typeof emptyDraft): object {
  const { effect, retry_after_s, detail, status, headers, body, number } = draft
  const [kind, name = ''] = effect.split(' ')
  if (kind === 'error') {
    const seconds = name === 'throttled' && retry_after_s && Number(retry_after_s)
    return { error: name, ...withoutEmpty({ detail, retry_after_s: seconds || '' }) }
  }
  if (kind === 'mutate') return { mutate: name }
  if (kind === 'drop') return { drop: true }
  if (kind === 'stale') return { stale: { writes: Number(number) } }
  if (kind === 'status') {
    return {
      status: Number(status),
      ...(headers.trim() !== '' && { headers: parseJson(headers) }),
      ...(body !== '' && { body: jsonOrText(body) }),
    }
  }
  return effect in numberLabels ? { [effect]: Number(number) } : {}
}

const errorOptions = (Object.entries(failureFormats) as [FailureName, { status: number }][])
  .sort(([, one], [, other]) => one.status - other.status)
  .map(([name, { status }]) => [`error ${name}`, `${status} ${name.replaceAll('_', ' ')}`] as const)

const mutants = Object.entries(mutantKinds).map(
  ([kind, sentence]) => [`mutate ${kind}`, capitalize(sentence.join(' '))] as const,
)

const effectGroups = [
  ['An error of the service', errorOptions],
  ['Another response', [['status', 'Any status, with headers and a body'] as const]],
  [
    'The connection',
    [
      ['drop', 'It drops'] as const,
      ['cut_bytes', 'It drops after some bytes of the body'] as const,
      ['slow_bytes_per_s', 'The body arrives slowly'] as const,
      ['delay', 'The response is late'] as const,
    ],
  ],
  ['The rows', [['stale', 'The response shows older rows'] as const]],
  ['A change that the documentation allows', mutants],
] as const

const phaseOptions = [
  ['before', 'Before the request'],
  ['after-commit', 'After it: writes stay'],
  ['mid-body', 'Within the response body'],
] as const
