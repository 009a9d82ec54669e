import { Zap } from 'lucide'
import { useState } from 'preact/hooks'
import { type FaultPhase, type FaultRule, mutantKinds } from '../../../sandbox/faults/rule.ts'
import {
  useAction,
  useDashboard,
  useLiveState,
  useVocabulary,
  withoutEmpty,
} from '../kit/context.ts'
import { Button, Checkbox, Input, Select, useFields } from '../kit/fields.tsx'
import { Form, JsonField, parseJson, useActionButton } from '../kit/form.tsx'
import { describeFault, formatNumber } from '../kit/format.ts'
import { EmptyState, ListItem, ListSection, Section } from '../kit/panels.tsx'

export function FaultsView() {
  const { faults } = useDashboard().remote
  const { faults: value, error, reload } = useLiveState()
  const action = useActionButton()
  const removeAll = action('Remove all', 'All faults removed.', () => faults.clear())
  const empty = (
    <EmptyState icon={Zap} title="No active faults.">
      Turn on a preset above, or add a rule below. Matching requests then fail as described.
    </EmptyState>
  )
  return (
    <div class="stack">
      <Presets />
      <ListSection
        class="card"
        title="Active faults"
        loaded={{ value, error, reload }}
        empty={empty}
        actions={value.length > 0 && removeAll}
      >
        {({ id, preset, matched, applied, warning, ...rule }) => (
          <ListItem
            key={id}
            id={id}
            tag={preset}
            info={`matched ${formatNumber(matched)}, applied ${formatNumber(applied)}`}
            actions={action('Remove', `Fault rule ${id} removed.`, () => faults.remove(id), {
              row: id,
            })}
          >
            <p class="long-text" title={JSON.stringify(rule)}>
              {describeFault(rule)}
            </p>
            {warning !== null && <p class="bad">{warning}</p>}
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

function FaultForm() {
  const { faults } = useDashboard().remote
  const { operations = [], errors = [] } = useVocabulary() ?? {}
  const [draft, field] = useFields(emptyFaultDraft)
  const [json, setJson] = useState<string | null>(null)
  const save = async () => {
    await faults.add(json === null ? toFaultRule(draft) : (parseJson(json) as FaultRule))
    return 'Fault rule added.'
  }
  const operationOptions = [['', 'Any request'] as const, ...operations.map(({ id }) => id)]
  const effects = [['drop', 'Drop connection'] as const, ['delay', 'Delay only'] as const]
  const milliseconds = { type: 'number', min: 0, placeholder: 'none' } as const
  const times = { type: 'number', min: 1, placeholder: 'unlimited' } as const
  const toggleJson = (
    <Button
      label={json === null ? 'Edit as JSON' : 'Edit as form'}
      onClick={() => setJson(json === null ? JSON.stringify(toFaultRule(draft), null, 2) : null)}
    />
  )
  return (
    <Section class="card" title="Custom rule">
      <Form save={save} submitLabel="Add rule" actions={toggleJson}>
        {json === null ? (
          <>
            <div class="side-by-side">
              <Select label="Operation" options={operationOptions} {...field('operation')} />
              <Select
                label="Effect"
                options={[...effects, ...errors, ...mutants]}
                {...field('effect')}
              />
              <Select label="Phase" options={phaseOptions} {...field('phase')} />
              <Input label="Delay (ms)" {...milliseconds} {...field('milliseconds')} />
              <Input label="Maximum times" {...times} {...field('times')} />
            </div>
            <p class="dim">{describeFault(toFaultRule(draft))}</p>
          </>
        ) : (
          <JsonField rows={8} value={json} onChange={setJson} />
        )}
      </Form>
    </Section>
  )
}

const emptyFaultDraft = {
  operation: '',
  /** The name of an error, `drop`, `delay`, or `mutate` and a kind of mutant */
  effect: 'server_error',
  phase: 'before' as FaultPhase,
  milliseconds: '',
  times: '',
}

/** @example toFaultRule({ ...emptyFaultDraft, times: '1' }) // { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } } */
function toFaultRule(draft: typeof emptyFaultDraft): FaultRule {
  const { operation, effect, phase, milliseconds, times } = draft
  const main = toMainEffect(effect)
  return {
    ...withoutEmpty({ operation, when: times && { times: Number(times) } }),
    // Mutants have one phase.
    ...(!('mutate' in main) && { phase }),
    effect: { ...main, ...withoutEmpty({ delay_ms: milliseconds && Number(milliseconds) }) },
  } as FaultRule
}

function toMainEffect(effect: string): object {
  if (effect === 'delay') return {}
  if (effect === 'drop') return { drop: true }
  const [, mutate] = effect.split('mutate ')
  return mutate === undefined ? { error: effect } : { mutate }
}

const mutants = Object.entries(mutantKinds).map(
  ([kind, sentence]) => [`mutate ${kind}`, `Mutant: ${sentence.join(' ')}`] as const,
)

const phaseOptions = [
  ['before', 'Before handling'],
  ['after-commit', 'After handling (writes stay)'],
  ['mid-body', 'During the response body'],
] as const
