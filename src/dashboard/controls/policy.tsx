import { useState } from 'preact/hooks'
import type { PolicyInfo } from '../../policies/info.ts'

interface PolicyItemProps {
  readonly policy: PolicyInfo
  readonly isOpen: boolean
  readonly onSet: (id: string, setting: string | number) => void
}

/** One question, what it is answered with, and what it could be. */
export function PolicyItem({ policy, isOpen, onSet }: PolicyItemProps) {
  const { id, question, line, setting, values, documented, live } = policy
  const evidence = values.find(({ value }) => value === String(setting))?.evidence
  return (
    <li id={id}>
      <details open={isOpen}>
        <summary>
          <span class="question">{question}</span> <code>{id}</code> = <code>{setting}</code>{' '}
          {evidence && <span class={`tag ${evidence}`}>{evidence}</span>}
        </summary>
        <p class="dim">The document: {line}</p>
        <fieldset>
          <legend class="unseen">{question}</legend>
          {values.map(({ value, ...meaning }) =>
            value === 'integer' ? (
              <IntegerSetting
                key={`${value} ${setting}`}
                {...{ id, setting, onSet }}
                text={meaning.says}
              />
            ) : (
              <label key={value} class="choice">
                <input
                  type="radio"
                  name={id}
                  checked={value === String(setting)}
                  onChange={() => onSet(id, value)}
                />
                <span>
                  <code>{value}</code> {meaning.says}{' '}
                  <span class={`tag ${meaning.evidence}`}>{meaning.evidence}</span>{' '}
                  <span class="dim">{meaning.source}</span>
                </span>
              </label>
            ),
          )}
        </fieldset>
        <p class="dim">
          documented: <code>{documented}</code>, live: <code>{live}</code>
        </p>
      </details>
    </li>
  )
}

interface IntegerSettingProps {
  readonly id: string
  readonly setting: string | number
  readonly text: string
  readonly onSet: (id: string, setting: number) => void
}

function IntegerSetting({ id, setting, text, onSet }: IntegerSettingProps) {
  const [number, setNumber] = useState(Number(setting))
  return (
    <div class="row">
      <label class="choice">
        <input
          type="number"
          value={number}
          onInput={({ currentTarget }) => setNumber(currentTarget.valueAsNumber)}
        />{' '}
        {text}
      </label>
      <button type="button" aria-label={`Set ${id}`} onClick={() => onSet(id, number)}>
        Set
      </button>
    </div>
  )
}
