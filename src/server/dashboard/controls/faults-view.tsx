import { useState } from 'preact/hooks'
import { type FailureName, failureFormats } from '../../../http/failures.ts'
import {
  type EffectName,
  effectTraits,
  type FaultPhase,
  type FaultRule,
  variantKinds,
} from '../../../sandbox/faults/rule.ts'
import {
  useAction,
  useDashboard,
  useLiveState,
  useVocabulary,
  withoutEmpty,
} from '../kit/context.ts'
import { Button, Checkbox, Input, Select, useFields } from '../kit/fields.tsx'
import { Form, JsonField, jsonOrText, parseJson, useActionButton } from '../kit/form.tsx'
import { capitalize, describeFault, formatNumber, isUsedUp } from '../kit/format.ts'
import { ListItem, ListSection, Section } from '../kit/panels.tsx'

export function FaultsView() {
  const { faults } = useDashboard().remote
  const { faults: value, error, reload } = useLiveState()
  const action = useActionButton()
  const removeAll = action('Remove all', 'All faults removed.', () => faults.clear())
  const empty = (
    <p class="dim">
      No faults. Turn on a preset above, or add a rule below. Matching requests then fail as
      described.
    </p>
  )
  return (
    <div class="stack">
      <Presets />
      <ListSection
        class="card"
        title="Faults"
        loaded={{ value, error, reload }}
        empty={empty}
        actions={value.length > 0 && removeAll}
      >
        {({ id, preset, matched, applied, waiting = 0, ...rule }) => (
          <ListItem
            key={id}
            id={id}
            tag={preset}
            info={`matched ${formatNumber(matched)}, applied ${formatNumber(applied)}${waiting > 0 ? `, ${formatNumber(waiting)} waiting` : ''}`}
            actions={action('Remove', `Fault rule ${id} removed.`, () => faults.remove(id), {
              row: id,
            })}
          >
            <p class="long-text" title={JSON.stringify(rule)}>
              {describeFault(rule)}
            </p>
            {isUsedUp({ ...rule, applied }) && (
              <p class="dim">Used up: it applies to no further request.</p>
            )}
          </ListItem>
        )}
      </ListSection>
      <FaultForm />
    </div>
  )
}

/** Each preset is a switch: on while one of its rules is active. */
function Presets() {
  const { faults } = useDashboard().remote
  const { faults: active } = useLiveState()
  const presets = useVocabulary()?.presets ?? []
  const run = useAction()
  const turn = async (name: string, isOn: boolean) => {
    const rules = active.filter(({ preset }) => preset === name)
    if (isOn) await faults.add({ preset: name })
    else await Promise.all(rules.map(({ id }) => faults.remove(id)))
    return `Preset ${name} turned ${isOn ? 'on' : 'off'}.`
  }
  return (
    <Section class="card" title="Presets">
      <ul class="plain presets">
        {presets.map(({ name, description }) => (
          <li key={name}>
            <Checkbox
              isSwitch
              label={name}
              value={active.some(({ preset }) => preset === name)}
              onChange={(isOn) => run(() => turn(name, isOn))}
            />
            <span class="dim">{description}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** A form for one rule, or its JSON. A sentence says what the rule will do. */
function FaultForm() {
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
  const { number } = effectChoices[kindOf(draft)]
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
              {number !== undefined && (
                <Input label={number} required {...countOf(1, '')} {...field('number')} />
              )}
              {hasPhases(draft) && (
                <Select label="When" options={phaseOptions} {...field('phase')} />
              )}
              <Input
                label="Delay (ms)"
                required={effect === 'delay_ms'}
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
  /** `error` and its name, `variant` and its kind, or the name of another effect */
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
  const { operation, key, times, percent, phase, milliseconds } = draft
  const when = withoutEmpty({
    times: times && Number(times),
    probability: percent && Number(percent) / 100,
  })
  return {
    ...withoutEmpty({ operation, key, when: Object.keys(when).length > 0 ? when : '' }),
    ...(hasPhases(draft) && { phase }),
    effect: {
      ...toMainEffect(draft),
      ...withoutEmpty({ delay_ms: milliseconds && Number(milliseconds) }),
    },
  } as FaultRule
}

/** Whether the effect has several phases. One phase is its default. */
function hasPhases(draft: typeof emptyDraft): boolean {
  return effectTraits[kindOf(draft)].phases.length > 1
}

function toMainEffect(draft: typeof emptyDraft): object {
  const { effect, retry_after_s, detail, status, headers, body, number } = draft
  const [, name = ''] = effect.split(' ')
  switch (kindOf(draft)) {
    case 'error': {
      const seconds = name === 'throttled' && retry_after_s && Number(retry_after_s)
      return { error: name, ...withoutEmpty({ detail, retry_after_s: seconds || '' }) }
    }
    case 'status':
      return {
        status: Number(status),
        ...(headers.trim() !== '' && { headers: parseJson(headers) }),
        ...(body !== '' && { body: jsonOrText(body) }),
      }
    case 'drop':
      return { drop: true }
    case 'variant':
      return { variant: name }
    case 'cut_bytes':
      return { cut_bytes: Number(number) }
    case 'hold':
      return { hold: true }
    case 'delay_ms':
      return {}
  }
}

/** Edits of rows have more fields than a form: they are written as JSON. */
type FormEffect = Exclude<EffectName, 'edit'>

function kindOf({ effect }: typeof emptyDraft): FormEffect {
  return effect.split(' ')[0] as FormEffect
}

const errorOptions = (Object.entries(failureFormats) as [FailureName, { status: number }][])
  .sort(([, one], [, other]) => one.status - other.status)
  .map(([name, { status }]) => [`error ${name}`, `${status} ${name.replaceAll('_', ' ')}`] as const)

const variants = Object.entries(variantKinds).map(
  ([kind, sentence]) => [`variant ${kind}`, capitalize(sentence.join(' '))] as const,
)

interface EffectChoice {
  readonly group: string
  readonly options: readonly (readonly [value: string, label: string])[]
  /** The label of its number, if it is one number */
  readonly number?: string
}

const effectChoices: { readonly [Name in FormEffect]: EffectChoice } = {
  error: { group: 'An error of the service', options: errorOptions },
  status: {
    group: 'Another response',
    options: [['status', 'Any status, with headers and a body']],
  },
  drop: { group: 'The connection', options: [['drop', 'It drops']] },
  cut_bytes: {
    group: 'The connection',
    options: [['cut_bytes', 'It drops after some bytes of the body']],
    number: 'Bytes until the connection drops',
  },
  hold: {
    group: 'The connection',
    options: [['hold', 'The request waits until you remove the rule']],
  },
  delay_ms: { group: 'The connection', options: [['delay_ms', 'The response is late']] },
  variant: { group: 'Another form that the documentation allows', options: variants },
}

const choices = Object.values(effectChoices)
const effectGroups = [...new Set(choices.map(({ group }) => group))].map((group) => {
  const options = choices.filter((choice) => choice.group === group)
  return [group, options.flatMap((choice) => choice.options)] as const
})

const phaseOptions = [
  ['before', 'Before the request'],
  ['after-commit', 'After it: writes stay'],
] as const
