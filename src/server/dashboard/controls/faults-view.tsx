import { useState } from 'preact/hooks'
import type { FaultInfo, FaultPhase, FaultRule } from '../../../sandbox/faults/rule.ts'
import { useAction, useDashboard, useVocabulary } from '../kit/context.ts'
import { ErrorMessage, Section } from '../kit/feedback.tsx'
import { Button, bindFields, Input, Select } from '../kit/fields.tsx'
import { Form, JsonField, parseJson } from '../kit/form.tsx'
import { describeEffect, describeWhen, phaseLabels } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'

export function FaultsView() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const vocabulary = useVocabulary()
  const { value, error, reload } = useLoad(() => remote.faults.list(), [remote, entriesVersion])
  const run = useAction(reload)
  const { faults } = remote
  return (
    <div class="stack">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      <Section title="Presets">
        <ul class="plain presets">
          {vocabulary?.presets.map(({ name, description }) => (
            <li key={name}>
              <Button
                onClick={() => run(`Preset ${name} added.`, () => faults.add({ preset: name }))}
              >
                {name}
              </Button>
              <span class="dim">{description}</span>
            </li>
          ))}
        </ul>
      </Section>
      <FaultForm
        onAdd={async (rule) => {
          await faults.add(rule)
          reload()
        }}
      />
      <FaultList
        rules={value ?? []}
        onRemove={(id) => run(`Fault rule ${id} removed.`, () => faults.remove(id))}
        onClear={() => run('All fault rules removed.', () => faults.clear())}
      />
    </div>
  )
}

interface FaultListProps {
  readonly rules: readonly FaultInfo[]
  readonly onRemove: (id: string) => void
  readonly onClear: () => void
}

/** The active rules in evaluation order. */
function FaultList({ rules, onRemove, onClear }: FaultListProps) {
  const removeAll = rules.length > 0 && <Button onClick={onClear}>Remove all</Button>
  return (
    <Section title="Active faults" actions={removeAll}>
      {rules.length === 0 && <p class="dim">No active faults.</p>}
      <ul class="plain items">
        {rules.map((rule) => (
          <FaultItem key={rule.id} rule={rule} onRemove={onRemove} />
        ))}
      </ul>
    </Section>
  )
}

function FaultItem({ rule, onRemove }: { rule: FaultInfo; onRemove: (id: string) => void }) {
  const { id, preset, matched, applied, warning, phase, when, effect } = rule
  const { operation, method, path, key } = rule
  const conditions = [operation, method, path, key].filter((part) => part !== undefined).flat()
  return (
    <li>
      <p>
        <strong>{id}</strong> {preset !== null && <span class="tag">{preset}</span>}{' '}
        <span class="dim">
          {conditions.length === 0 ? 'any request' : conditions.join(' ')}, {phaseLabels[phase]}
        </span>
      </p>
      <p class="long-text" title={JSON.stringify({ when, effect })}>
        {describeEffect(effect)}
        {when && <span class="dim">, {describeWhen(when)}</span>}
      </p>
      <p class="dim">
        matched {matched.toLocaleString('en')}, applied {applied.toLocaleString('en')}
      </p>
      {warning !== null && <p class="bad">{warning}</p>}
      <div class="row">
        <Button row={id} onClick={() => onRemove(id)}>
          Remove
        </Button>
      </div>
    </li>
  )
}

/** Adds a fault rule: with fields for the common parts, or as JSON. */
function FaultForm({ onAdd }: { onAdd: (rule: FaultRule) => Promise<void> }) {
  const [draft, setDraft] = useState(emptyFaultDraft)
  const [json, setJson] = useState<string | null>(null)
  const save = async () => {
    await onAdd(json === null ? toFaultRule(draft) : (parseJson(json) as FaultRule))
    return 'Fault rule added.'
  }
  const toggleJson = (
    <Button
      onClick={() => setJson(json === null ? JSON.stringify(toFaultRule(draft), null, 2) : null)}
    >
      {json === null ? 'Edit as JSON' : 'Edit as form'}
    </Button>
  )
  return (
    <Section title="Custom rule">
      <Form save={save} submitLabel="Add rule" actions={toggleJson}>
        {json === null ? (
          <FaultFields {...{ draft, setDraft }} />
        ) : (
          <JsonField rows={8} value={json} onChange={setJson} />
        )}
      </Form>
    </Section>
  )
}

const emptyFaultDraft = {
  operation: '',
  /** The name of an error, `drop` or `delay` */
  effect: 'server_error',
  phase: 'before' as FaultPhase,
  milliseconds: '',
  times: '',
}
type FaultDraft = typeof emptyFaultDraft

/** @example toFaultRule({ ...emptyFaultDraft, times: '1' }) // { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } } */
function toFaultRule({ operation, effect, phase, milliseconds, times }: FaultDraft): FaultRule {
  const delay = milliseconds === '' ? {} : { delay_ms: Number(milliseconds) }
  const mainEffect =
    effect === 'delay' ? {} : effect === 'drop' ? { drop: true } : { error: effect }
  return {
    ...(operation !== '' && { operation }),
    ...(times !== '' && { when: { times: Number(times) } }),
    phase,
    effect: { ...mainEffect, ...delay },
  } as FaultRule
}

const phaseOptions = [
  ['before', 'Before handling'],
  ['after-commit', 'After handling (writes stay)'],
  ['mid-body', 'During the response body'],
] as const

interface FaultFieldsProps {
  readonly draft: FaultDraft
  readonly setDraft: (draft: FaultDraft) => void
}

function FaultFields({ draft, setDraft }: FaultFieldsProps) {
  const { operations = [], errors = [] } = useVocabulary() ?? {}
  const field = bindFields(draft, setDraft)
  const operationOptions = [['', 'Any request'] as const, ...operations.map(({ id }) => id)]
  const effects = [['drop', 'Drop connection'] as const, ['delay', 'Delay only'] as const]
  const milliseconds = { type: 'number', min: 0, placeholder: 'none' } as const
  const times = { type: 'number', min: 1, placeholder: 'unlimited' } as const
  return (
    <div class="side-by-side">
      <Select label="Operation" options={operationOptions} {...field('operation')} />
      <Select label="Effect" options={[...effects, ...errors]} {...field('effect')} />
      <Select label="Phase" options={phaseOptions} {...field('phase')} />
      <Input label="Delay (ms)" {...milliseconds} {...field('milliseconds')} />
      <Input label="Maximum times" {...times} {...field('times')} />
    </div>
  )
}
