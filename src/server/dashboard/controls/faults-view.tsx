import { useAction, useDashboard, useLiveState, useVocabulary } from '../kit/context.ts'
import { Checkbox } from '../kit/fields.tsx'
import { useActionButton } from '../kit/form.tsx'
import { describeFault, formatNumber } from '../kit/format.ts'
import { ListItem, ListSection, Section } from '../kit/panels.tsx'
import { FaultForm } from './fault-form.tsx'

export function FaultsView() {
  const { faults } = useDashboard().remote
  const { faults: value, error, reload } = useLiveState()
  const action = useActionButton()
  const removeAll = action('Remove all', 'All faults removed.', () => faults.clear())
  const empty = (
    <p class="dim">
      No active faults. Turn on a preset above, or add a rule below. Matching requests then fail as
      described.
    </p>
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
