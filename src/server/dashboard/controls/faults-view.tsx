import { useState } from 'preact/hooks'
import type { FaultInfo, FaultPhase, FaultRule } from '../../../sandbox/faults/rule.ts'
import { useDashboard, useVocabulary } from '../kit/context.ts'
import {
  Button,
  Form,
  Input,
  JsonField,
  parseJson,
  Select,
  useActionButton,
  useFields,
} from '../kit/form.tsx'
import { describeEffect, describeWhen, phaseLabels } from '../kit/format.ts'
import { useLoad, useStore } from '../kit/hooks.ts'
import { ListItem, ListSection, Section } from '../kit/panels.tsx'

export function FaultsView() {
  const { remote, journal } = useDashboard()
  const { entriesVersion } = useStore(journal)
  const presets = useVocabulary()?.presets
  const loaded = useLoad(() => remote.faults.list(), [remote, entriesVersion])
  const { value = [], reload } = loaded
  const action = useActionButton(reload)
  const { faults } = remote
  const removeAll = action('Remove all', 'All fault rules removed.', () => faults.clear())
  return (
    <div class="stack">
      <Section title="Presets">
        <ul class="plain presets">
          {presets?.map(({ name, description }) => (
            <li key={name}>
              {action(name, `Preset ${name} added.`, () => faults.add({ preset: name }))}
              <span class="dim">{description}</span>
            </li>
          ))}
        </ul>
      </Section>
      <FaultForm onAdd={(rule) => faults.add(rule).then(reload)} />
      <ListSection
        title="Active faults"
        empty="No active faults."
        loaded={loaded}
        actions={value.length > 0 && removeAll}
      >
        {({ id, preset, matched, applied, warning, when, effect, ...rule }) => (
          <ListItem
            key={id}
            id={id}
            tag={preset}
            info={describeMatch(rule)}
            actions={action('Remove', `Fault rule ${id} removed.`, () => faults.remove(id), {
              row: id,
            })}
          >
            <p class="long-text" title={JSON.stringify({ when, effect })}>
              {describeEffect(effect)}
              {when && <span class="dim">, {describeWhen(when)}</span>}
            </p>
            <p class="dim">
              matched {matched.toLocaleString('en')}, applied {applied.toLocaleString('en')}
            </p>
            {warning !== null && <p class="bad">{warning}</p>}
          </ListItem>
        )}
      </ListSection>
    </div>
  )
}

type MatchedRequests = Pick<FaultInfo, 'operation' | 'method' | 'path' | 'key' | 'phase'>

function describeMatch({ operation, method, path, key, phase }: MatchedRequests): string {
  const conditions = [operation, method, path, key].filter((part) => part !== undefined).flat()
  return `${conditions.join(' ') || 'any request'}, ${phaseLabels[phase]}`
}

function FaultForm({ onAdd }: { onAdd: (rule: FaultRule) => Promise<void> }) {
  const { operations = [], errors = [] } = useVocabulary() ?? {}
  const [draft, field] = useFields(emptyFaultDraft)
  const [json, setJson] = useState<string | null>(null)
  const save = async () => {
    await onAdd(json === null ? toFaultRule(draft) : (parseJson(json) as FaultRule))
    return 'Fault rule added.'
  }
  const operationOptions = [['', 'Any request'] as const, ...operations.map(({ id }) => id)]
  const effects = [['drop', 'Drop connection'] as const, ['delay', 'Delay only'] as const]
  const milliseconds = { type: 'number', min: 0, placeholder: 'none' } as const
  const times = { type: 'number', min: 1, placeholder: 'unlimited' } as const
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
          <div class="side-by-side">
            <Select label="Operation" options={operationOptions} {...field('operation')} />
            <Select label="Effect" options={[...effects, ...errors]} {...field('effect')} />
            <Select label="Phase" options={phaseOptions} {...field('phase')} />
            <Input label="Delay (ms)" {...milliseconds} {...field('milliseconds')} />
            <Input label="Maximum times" {...times} {...field('times')} />
          </div>
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

/** @example toFaultRule({ ...emptyFaultDraft, times: '1' }) // { when: { times: 1 }, phase: 'before', effect: { error: 'server_error' } } */
function toFaultRule({
  operation,
  effect,
  phase,
  milliseconds,
  times,
}: typeof emptyFaultDraft): FaultRule {
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
