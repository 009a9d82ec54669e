import {
  type ButtonHTMLAttributes,
  type ComponentChildren,
  createContext,
  type InputHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import { useAction, useDashboard } from './context.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'icon'> {
  /** Names the row that the button acts on, for screen readers: `annotation 3` */
  readonly row?: string
}

export function Button({ row, ...props }: ButtonProps) {
  return (
    <button type="button" {...props} {...(row && { 'aria-label': `${props.children} ${row}` })} />
  )
}

interface FieldProps<T> {
  readonly label: string
  readonly hideLabel?: boolean
  readonly class?: string
  readonly value: T
  readonly onChange: (value: T) => void
}

function Label(props: Omit<FieldProps<never>, 'value'> & { children: ComponentChildren }) {
  const { label, hideLabel, class: name, children } = props
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class={name}>
      {hideLabel ? <span class="visually-hidden">{label}</span> : label} {children}
    </label>
  )
}

type InputProps = FieldProps<string> & Omit<InputHTMLAttributes, keyof FieldProps<string>>

export function Input(props: InputProps) {
  const { label, hideLabel, class: name, onChange, ...attributes } = props
  return (
    <Label {...props}>
      <input
        type="text"
        {...(attributes as InputHTMLAttributes)}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Label>
  )
}

export function TextArea(
  props: FieldProps<string> & Omit<TextareaHTMLAttributes, keyof FieldProps<string>>,
) {
  const { label, onChange, ...attributes } = props
  return (
    <label>
      {label}
      <textarea
        {...(attributes as TextareaHTMLAttributes)}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  )
}

export function SearchField(props: Omit<InputProps, 'label'> & { readonly label?: string }) {
  return <Input label="Search" {...props} type="search" class="grow" hideLabel />
}

interface SelectProps<T extends string> extends FieldProps<T> {
  readonly options: readonly (T | readonly [value: T, text: string])[]
  readonly onFocus?: () => void
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { options, value: selected, onChange, onFocus } = props
  return (
    <Label {...props}>
      <select
        value={selected}
        onFocus={onFocus}
        onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
      >
        {options.map((option) => {
          const [value, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={value} value={value}>
              {text}
            </option>
          )
        })}
      </select>
    </Label>
  )
}

export function Checkbox({ label, value, onChange }: FieldProps<boolean>) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

export function bindFields<T extends object>(values: T, onChange: (values: T) => void) {
  return <Name extends keyof T>(name: Name) => ({
    value: values[name],
    onChange: (value: T[Name]) => onChange({ ...values, [name]: value }),
  })
}

export function useFields<T extends object>(initial: T) {
  const [values, setValues] = useState(initial)
  return [values, bindFields(values, setValues)] as const
}

export function useActionButton(onSuccess?: () => void) {
  const run = useAction(onSuccess)
  return (label: string, success: string, work: () => Promise<unknown>, props?: ButtonProps) => (
    <Button {...props} onClick={() => run(success, work)}>
      {label}
    </Button>
  )
}

export function onSubmit(submit: () => void) {
  return (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
}

const FormError = createContext({ error: '', errorId: '' })

interface FormProps {
  /** Resolves to the message to show. */
  readonly save: () => Promise<string>
  readonly onSuccess?: () => void
  readonly submitLabel?: string
  readonly submitClass?: string
  readonly busyLabel?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A form. A success is shown as a notification, an error in the form, where screen readers announce it. */
export function Form(props: FormProps) {
  const { save, onSuccess, submitLabel = 'Save', submitClass = 'primary', actions } = props
  const { notifications } = useDashboard()
  const errorId = useId()
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    if (isBusy) return
    setError('')
    setBusy(true)
    try {
      notifications.showSuccess(await save())
      onSuccess?.()
    } catch (error) {
      setError((error as Error).message)
    }
    setBusy(false)
  }
  return (
    <form class="fields" onSubmit={onSubmit(submit)}>
      <FormError.Provider value={{ error, errorId }}>{props.children}</FormError.Provider>
      <p id={errorId} class="bad" role="alert">
        {error}
      </p>
      <div class="row">
        <button type="submit" class={submitClass}>
          {isBusy ? (props.busyLabel ?? submitLabel) : submitLabel}
        </button>
        {actions}
      </div>
    </form>
  )
}

export function JsonField(props: Omit<FieldProps<string>, 'label'> & { readonly rows: number }) {
  const { error, errorId } = useContext(FormError)
  const described = { 'aria-invalid': error !== '', 'aria-describedby': errorId }
  return <TextArea label="JSON" spellcheck={false} {...described} {...props} />
}

/** @throws Error with a message for the user */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Invalid JSON: ${(error as Error).message}`)
  }
}
