import type { ButtonHTMLAttributes, ComponentChildren, InputHTMLAttributes } from 'preact'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'icon'> {
  /** Names the row that the button acts on, for screen readers: `annotation 3` */
  readonly row?: string
}

/** A button that does not submit a form. */
export function Button({ row, ...props }: ButtonProps) {
  return (
    <button type="button" {...props} {...(row && { 'aria-label': `${props.children} ${row}` })} />
  )
}

interface FieldProps<T> {
  readonly label: string
  /** Whether only screen readers get the label. */
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

type InputAttributes = Pick<
  InputHTMLAttributes,
  'placeholder' | 'required' | 'min' | 'max' | 'step' | 'pattern' | 'title'
>

interface InputProps extends FieldProps<string>, InputAttributes {
  readonly type?: 'text' | 'number' | 'date' | 'search'
}

export function Input(props: InputProps) {
  const { label, hideLabel, class: name, type = 'text', onChange, ...attributes } = props
  return (
    <Label {...props}>
      <input
        {...({ type, ...attributes } as InputHTMLAttributes)}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Label>
  )
}

interface SearchFieldProps extends Omit<FieldProps<string>, 'label'> {
  /** The accessible name; defaults to "Search". */
  readonly label?: string
  readonly placeholder: string
}

export function SearchField(props: SearchFieldProps) {
  return <Input label="Search" {...props} type="search" class="grow" hideLabel />
}

interface SelectProps<T extends string> extends FieldProps<T> {
  /** The values, each with its text if that differs. */
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

/**
 * Returns a function that binds fields of a form to the properties of an object.
 *
 * @example <Input label="Title" {...bindFields(draft, setDraft)('title')} />
 */
export function bindFields<T extends object>(values: T, onChange: (values: T) => void) {
  return <Name extends keyof T>(name: Name) => ({
    value: values[name],
    onChange: (value: T[Name]) => onChange({ ...values, [name]: value }),
  })
}

export function onSubmit(submit: () => void) {
  return (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
}
