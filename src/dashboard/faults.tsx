import { useState } from 'preact/hooks'
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
import { capitalize, isUsedUp } from './format.ts'
import { ActionButton, Form, Input, parseJsonInput, Select } from './kit.tsx'
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
        {active.length === 0 && (
          <p class="dim">No faults. Turn on a preset above, or add a fault below.</p>
        )}
        <ul class="plain items">
          {active.map((fault) => (
            <FaultItem key={fault.id} fault={fault} isOpen={fault.id === open} />
          ))}
        </ul>
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
      <ul class="plain presets">
        {presetNames.map((name) => {
          const own = active.filter(({ preset }) => preset === name)
          const left = own.filter((fault) => !isUsedUp(fault)).length
          return (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  checked={left > 0 && left === own.length}
                  indeterminate={left > 0 && left < own.length}
                  onChange={({ currentTarget }) => run(() => turn(name, currentTarget.checked))}
                />
                {name}
              </label>
              <span class="dim">
                {presets[name].description}{' '}
                {left < own.length && `Used up: ${own.length - left} of ${own.length} faults.`}
              </span>
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

/** A fault as JSON, which two menus change, and a sentence that says what it will do. */
function NewFault() {
  const { faults } = useApp().remote
  const [text, setText] = useState(() => JSON.stringify(firstFault, null, 2))
  const rule = readRule(text)
  const save = async () => {
    await faults.add(parseJsonInput(text) as FaultRule)
    return 'The fault is added.'
  }
  /** JSON leaves out what is undefined. */
  const change = (changes: { readonly [Name in keyof FaultRule]?: unknown }) =>
    setText(JSON.stringify({ ...(rule ?? firstFault), ...changes }, null, 2))
  const current = JSON.stringify(rule?.effect)
  const chosen = effectOptions.findIndex(([, effect]) => JSON.stringify(effect) === current)
  return (
    <Card title="New fault">
      <Form save={save} submitLabel="Add fault">
        <div class="side-by-side">
          <Select
            label="Operation"
            options={[['', 'Any request'], ...operationIds]}
            value={String(rule?.operation ?? '')}
            onChange={(operation) => change({ operation: operation || undefined })}
          />
          <Select
            label="Effect"
            options={effectOptions.map(([label], index) => [String(index), label])}
            value={String(chosen)}
            onChange={(index) =>
              change({ phase: undefined, effect: effectOptions[Number(index)]?.[1] })
            }
          />
        </div>
        <p class="sentence">{rule ? `${describeFault(rule)}.` : 'This is not a fault yet.'}</p>
        <Input label="JSON" rows={9} value={text} onChange={setText} />
      </Form>
    </Card>
  )
}

/** The fault that a text describes. Undefined while it is typed. */
function readRule(text: string): FaultRule | undefined {
  try {
    const rule = JSON.parse(text)
    describeFault(rule)
    return rule
  } catch {
    return undefined
  }
}

/** For the menu. Any effect can be written as JSON. */
const effectOptions = effectNames
  .flatMap((name) => effectTraits[name].examples)
  .map((effect) => [capitalize(describeEffect(effect)), effect] as const)
