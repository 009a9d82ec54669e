import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes } from 'preact'
import { useState } from 'preact/hooks'
import { useAction } from './app.ts'

interface Children {
  readonly children: ComponentChildren
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'label' | 'children'> {
  readonly label: string
  /** Names the row that the button acts on, for screen readers: `annotation 3` */
  readonly row?: string
}

export function Button({ label, row, ...props }: ButtonProps) {
  return (
    <button type="button" {...props} {...(row && { 'aria-label': `${label} ${row}` })}>
      {label}
    </button>
  )
}

interface ActionProps extends ButtonProps {
  /** Resolves to the message to show. */
  readonly work: () => Promise<string>
  /** What is lost, which the user has to confirm first */
  readonly loss?: string
}

export function ActionButton({ work, loss, ...button }: ActionProps) {
  const run = useAction()
  const start = () => {
    if (loss === undefined || confirm(loss)) run(work)
  }
  return <Button {...button} onClick={start} />
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

interface InputProps extends FieldProps, Omit<InputHTMLAttributes, keyof FieldProps> {
  /** The lines of a text that may have several. By default it has one. */
  readonly rows?: number
}

export function Input({ label, onChange, rows, ...rest }: InputProps) {
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onChange(currentTarget.value)
  const all = { ...(rest as object), onInput, spellcheck: false }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in both branches
    <label>
      {label}{' '}
      {rows === undefined ? <input type="text" {...all} /> : <textarea rows={rows} {...all} />}
    </label>
  )
}

export function SearchField({ label, value, onChange }: FieldProps) {
  return (
    <input
      type="search"
      class="grow"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface SelectProps extends FieldProps {
  readonly options: readonly (string | readonly [value: string, text: string])[]
}

export function Select({ label, options, value, onChange }: SelectProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => {
          const [optionValue, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={optionValue} value={optionValue}>
              {text}
            </option>
          )
        })}
      </select>
    </label>
  )
}

interface FormProps extends Children {
  /** Resolves to the message to show. */
  readonly save: () => Promise<string>
  readonly submitLabel: string
  readonly isRow?: boolean
}

/** A form. The error of an attempt is shown below the fields. */
export function Form({ save, submitLabel, isRow, children }: FormProps) {
  const run = useAction()
  const [error, setError] = useState('')
  return (
    <form
      class={isRow ? 'row' : 'fields'}
      onSubmit={(event) => {
        event.preventDefault()
        setError('')
        run(save, ({ message }) => setError(message))
      }}
    >
      {children}
      <button type="submit" class={isRow ? '' : 'primary'}>
        {submitLabel}
      </button>
      <p class="bad" role="alert">
        {error}
      </p>
    </form>
  )
}

interface JsonFormProps {
  readonly initial: object
  readonly rows: number
  readonly submitLabel: string
  /** Gets what was entered. Resolves to the message to show. */
  readonly save: (entered: object) => Promise<string>
  readonly hint: (text: string) => ComponentChildren
}

export function JsonForm({ initial, rows, submitLabel, save, hint }: JsonFormProps) {
  const [text, setText] = useState(() => JSON.stringify(initial, null, 2))
  return (
    <Form submitLabel={submitLabel} save={async () => save(parseObject(text))}>
      <Input label="JSON" rows={rows} value={text} onChange={setText} />
      {hint(text)}
    </Form>
  )
}

function parseObject(text: string) {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`This is not valid JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null) throw new Error('Enter a JSON object.')
  return value
}

/** @returns the message to show */
export async function copyText(text: string, name: string): Promise<string> {
  if (!navigator.clipboard) throw new Error('Browsers copy on https:// and this machine only.')
  await navigator.clipboard.writeText(text)
  return `Copied ${name}.`
}

/** @param props.name names the text in the message, and for screen readers; default: the text itself */
export function CopyButton({ text, name = text }: { text: string; name?: string }) {
  return <ActionButton label="Copy" class="quiet" row={name} work={() => copyText(text, name)} />
}

export function CodeLine({ text, name }: { text: string; name: string }) {
  return (
    <div class="code-line">
      <code>{text}</code>
      <CopyButton text={text} name={name} />
    </div>
  )
}
