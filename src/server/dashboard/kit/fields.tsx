import { Calendar, type IconNode } from 'lucide'
import {
  type ButtonHTMLAttributes,
  type ComponentChildren,
  type Context,
  createContext,
  type InputHTMLAttributes,
} from 'preact'
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import { type FormErrors, noErrors } from './format.ts'
import { Icon } from './inline.tsx'

export interface ButtonProps
  extends Omit<ButtonHTMLAttributes, 'type' | 'icon' | 'label' | 'children'> {
  readonly label: string
  /** Names the row that the button acts on, for screen readers: `annotation 3` */
  readonly row?: string
  readonly icon?: IconNode
}

export function Button({ label, row, icon, ...props }: ButtonProps) {
  return (
    <button type="button" {...props} {...(row && { 'aria-label': `${label} ${row}` })}>
      {icon && <Icon icon={icon} />}
      {label}
    </button>
  )
}

/** The errors of the form around a field, and the id of the element that shows the general one. */
export const FormErrorContext: Context<FormErrors & { readonly errorId: string }> = createContext({
  ...noErrors,
  errorId: '',
})

interface FieldProps<T> {
  readonly label: string
  /** The name of the field in errors of the server, which are shown at the field. */
  readonly name?: string
  readonly hideLabel?: boolean
  readonly class?: string
  readonly value: T
  readonly onChange: (value: T) => void
}

function useFieldError(name: string | undefined) {
  const id = useId()
  const { fields } = useContext(FormErrorContext)
  const error = name === undefined ? undefined : fields[name]
  return {
    attributes: { name, ...(error && { 'aria-invalid': true, 'aria-describedby': id }) },
    message: error && (
      <span id={id} class="bad" role="alert">
        {error}
      </span>
    ),
  }
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

interface InputProps
  extends FieldProps<string>,
    Omit<InputHTMLAttributes, keyof FieldProps<string>> {
  /** The lines of a text that may have several. By default it has one. */
  readonly rows?: number
}

export function Input(props: InputProps) {
  const { label, hideLabel, class: className, name, onChange, rows, ...rest } = props
  const { attributes, message } = useFieldError(name)
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onChange(currentTarget.value)
  const all = { ...(rest as object), ...attributes, onInput }
  return (
    <Label {...props}>
      {rows === undefined ? <input type="text" {...all} /> : <textarea rows={rows} {...all} />}
      {message}
    </Label>
  )
}

interface DateFieldProps extends InputProps {
  /** The type of the calendar that the button beside the field opens. */
  readonly calendar: 'date' | 'datetime-local'
}

/** A date as text in one format, whatever the language of the browser is, with a button for its calendar. */
function DateField({ calendar, onChange, ...props }: DateFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <span class="date-field">
      <Input {...props} onChange={onChange} autocomplete="off" spellcheck={false} />
      <input
        ref={picker}
        type={calendar}
        class="calendar"
        tabIndex={-1}
        aria-hidden="true"
        step={calendar === 'date' ? undefined : 1}
        value={props.value.replace(' ', 'T')}
        onChange={({ currentTarget }) => onChange(currentTarget.value.replace('T', ' '))}
      />
      <Button
        label=""
        icon={Calendar}
        class="quiet"
        aria-label={`Calendar for ${props.label}`}
        onClick={() => picker.current?.showPicker()}
      />
    </span>
  )
}

/** A day, such as 2024-06-01. */
export function DayField(props: InputProps) {
  const day = {
    placeholder: 'YYYY-MM-DD',
    size: 11,
    maxLength: 10,
    pattern: '\\d{4}-\\d\\d-\\d\\d',
  }
  return <DateField calendar="date" title="A day such as 2024-06-01" {...day} {...props} />
}

/** A moment in UTC, such as 2024-06-01 09:00:00. Its value is ISO 8601. Fractions are cut off. */
export function DateTimeField({ value, onChange, ...props }: InputProps) {
  const [text, setText] = useState(toShortTime(value))
  useEffect(() => {
    if (toIsoTime(text) !== value) setText(toShortTime(value))
  }, [value])
  const change = (typed: string) => {
    setText(typed)
    onChange(toIsoTime(typed))
  }
  return (
    <DateField
      calendar="datetime-local"
      placeholder="YYYY-MM-DD hh:mm:ss"
      title="A time such as 2024-06-01 09:00:00"
      {...props}
      value={text}
      onChange={change}
    />
  )
}

function toShortTime(iso: string): string {
  return iso.replace('T', ' ').replace(/(\.\d+)?Z$/, '')
}

/** @example toIsoTime('2024-06-01 09:00') // '2024-06-01T09:00:00Z' */
function toIsoTime(text: string): string {
  const [day = '', time = '00:00'] = text.trim().split(/[ T]/)
  return day === '' ? '' : `${day}T${time.length === 5 ? `${time}:00` : time}Z`
}

export function SearchField(props: Omit<InputProps, 'label'> & { readonly label?: string }) {
  return <Input label="Search" {...props} type="search" class="grow" hideLabel />
}

type Option<T> = T | readonly [value: T, text: string]

interface SelectProps<T extends string> extends FieldProps<T> {
  readonly options?: readonly Option<T>[]
  /** More options, under a heading each. */
  readonly groups?: readonly (readonly [heading: string, options: readonly Option<T>[]])[]
  readonly onFocus?: () => void
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { name, options = [], groups = [], value: selected, onChange, onFocus } = props
  const { attributes, message } = useFieldError(name)
  return (
    <Label {...props}>
      <select
        {...attributes}
        value={selected}
        onFocus={onFocus}
        onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
      >
        <Options options={options} />
        {groups.map(([heading, inner]) => (
          <optgroup key={heading} label={heading}>
            <Options options={inner} />
          </optgroup>
        ))}
      </select>
      {message}
    </Label>
  )
}

function Options({ options }: { options: readonly Option<string>[] }) {
  return options.map((option) => {
    const [value, text] = typeof option === 'string' ? [option, option] : option
    return (
      <option key={value} value={value}>
        {text}
      </option>
    )
  })
}

interface CheckboxProps extends FieldProps<boolean> {
  /** Shown as a switch: it takes effect at once, without a Save button. */
  readonly isSwitch?: boolean
}

export function Checkbox({ label, isSwitch, value, onChange }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        {...(isSwitch && { role: 'switch' as const })}
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  )
}

interface CheckListProps extends FieldProps<readonly string[]> {
  readonly options: readonly (readonly [value: string, text: string])[]
}

/** Checkboxes, of which any number can be checked. */
export function CheckList({ label, name, options, value, onChange }: CheckListProps) {
  const { attributes, message } = useFieldError(name)
  return (
    <fieldset class="check-list" {...attributes}>
      <legend>{label}</legend>
      {options.map(([option, text]) => (
        <Checkbox
          key={option}
          label={text}
          value={value.includes(option)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...value, option] : value.filter((each) => each !== option))
          }
        />
      ))}
      {message}
    </fieldset>
  )
}

/** The values of a form, a function that returns the properties of a field by its name, and one that sets all values. */
export function useFields<T extends object>(initial: T) {
  const [values, setValues] = useState(initial)
  const field = <Name extends keyof T & string>(name: Name) => ({
    name,
    value: values[name],
    onChange: (value: T[Name]) => setValues({ ...values, [name]: value }),
  })
  return [values, field, setValues] as const
}

/** A button that opens a file of this machine. */
export function FileButton(props: {
  label: string
  accept: string
  onSelect: (file: File) => void
}) {
  const { label, accept, onSelect } = props
  return (
    <label class="button">
      {label}
      <input
        type="file"
        class="visually-hidden"
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onSelect(file)
          // Lets the same file be selected again.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
