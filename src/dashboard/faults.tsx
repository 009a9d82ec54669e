import { operationIds } from '../http/operation-id.ts'
import {
  describeEffect,
  describeFault,
  effectNames,
  effectTraits,
  type FaultInfo,
  type FaultRule,
} from '../simulator/faults/fault.ts'
import { type PresetName, presetNames, presets } from '../simulator/faults/presets.ts'
import { formatCount } from '../utils/text.ts'
import { useAction, useApp, useLive } from './app.ts'
import { isUsedUp } from './format.ts'
import { ActionButton, JsonForm } from './kit.tsx'
import { Card, ListItem } from './layout.tsx'

/** @param props.path the id of the fault to show */
export function FaultsView({ path: [open] }: { path: readonly string[] }) {
  const { faults } = useApp().remote
  const active = useLive().faults
  const removeAll = () => faults.clear().then(() => 'All faults are removed.')
  return (
    <div class="stack">
      <Presets />
      <Card
        title="Faults"
        actions={active.length > 0 && <ActionButton label="Remove all" work={removeAll} />}
      >
        {active.length === 0 ? (
          <p class="dim">No faults. Turn on a preset above, or add a fault below.</p>
        ) : (
          <ul class="plain items">
            {active.map((fault) => (
              <FaultItem key={fault.id} fault={fault} isOpen={fault.id === open} />
            ))}
          </ul>
        )}
      </Card>
      <NewFault />
    </div>
  )
}

function Presets() {
  const { faults } = useApp().remote
  const active = useLive().faults
  const run = useAction()
  const turn = async (name: PresetName, isOn: boolean) => {
    const own = active.filter(({ preset }) => preset === name)
    await Promise.all(own.map(({ id }) => faults.remove(id)))
    if (isOn) await faults.add({ preset: name })
    return `The preset ${name} is ${isOn ? 'on' : 'off'}.`
  }
  return (
    <Card title="Presets">
      <ul class="plain">
        {presetNames.map((name) => {
          const own = active.filter(({ preset }) => preset === name)
          const left = own.filter((fault) => !isUsedUp(fault)).length
          return (
            <li key={name}>
              <label class="choice">
                <input
                  type="checkbox"
                  aria-label={name}
                  checked={left > 0 && left === own.length}
                  indeterminate={left > 0 && left < own.length}
                  onChange={({ currentTarget }) => run(() => turn(name, currentTarget.checked))}
                />
                <span>
                  {name} <span class="dim">{presets[name].description}</span>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function FaultItem({ fault, isOpen }: { fault: FaultInfo; isOpen: boolean }) {
  const { faults } = useApp().remote
  const { id, preset, matched, applied, waiting } = fault
  const remove = () => faults.remove(id).then(() => `The fault ${id} is removed.`)
  return (
    <ListItem
      name={describeFault(fault)}
      isOpen={isOpen}
      info={
        <>
          {preset && <span class="tag">{preset}</span>} <code>{id}</code> matched{' '}
          {matched.toLocaleString('en')}, applied {applied.toLocaleString('en')}
          {waiting.length > 0 && `, ${formatCount(waiting.length, 'request')} waiting`}
        </>
      }
      actions={<ActionButton label="Remove" row={id} work={remove} />}
    >
      {isUsedUp(fault) && <p class="dim">Used up: it applies to no further request.</p>}
    </ListItem>
  )
}

const firstFault: FaultRule = { when: { times: 1 }, effect: { error: 'server_error' } }

/** A fault as JSON, with a sentence that says what it will do. */
function NewFault() {
  const { faults } = useApp().remote
  const save = (rule: object) => faults.add(rule as FaultRule).then(() => 'The fault is added.')
  const hint = (text: string) => (
    <>
      <p class="sentence">{describeText(text)}</p>
      <details>
        <summary>Effects and operations</summary>
        <ul class="plain">
          {effects.map((effect) => (
            <li key={JSON.stringify(effect)}>
              <code>{JSON.stringify(effect)}</code> {describeEffect(effect)}
            </li>
          ))}
          <li>{operationIds.join(', ')}</li>
        </ul>
      </details>
    </>
  )
  return (
    <Card title="New fault">
      <JsonForm initial={firstFault} rows={9} submitLabel="Add fault" {...{ save, hint }} />
    </Card>
  )
}

function describeText(text: string) {
  try {
    return `${describeFault(JSON.parse(text))}.`
  } catch {
    return 'This is not a fault yet.'
  }
}

const effects = effectNames.flatMap((name) => effectTraits[name].examples)
