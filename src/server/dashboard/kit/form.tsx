import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import { useDashboard } from './context.ts'
import { onSubmit } from './fields.tsx'

/** The error of the last submission, empty if it succeeded, and the id of its element. */
const FormError = createContext({ error: '', errorId: '' })

interface FormProps {
  /** Resolves to the message to show. */
  readonly save: () => Promise<string>
  readonly onSuccess?: () => void
  readonly submitLabel?: string
  readonly submitClass?: string
  /** The label of the button during a submission. */
  readonly busyLabel?: string
  /** Buttons beside that which submits. */
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

interface JsonFieldProps {
  readonly rows: number
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A text area for JSON, which the error of its form describes. */
export function JsonField({ rows, value, onChange }: JsonFieldProps) {
  const { error, errorId } = useContext(FormError)
  return (
    <label>
      JSON
      <textarea
        rows={rows}
        spellcheck={false}
        aria-invalid={error !== ''}
        aria-describedby={errorId}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  )
}

/** @throws Error with a message for the user */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Invalid JSON: ${(error as Error).message}`)
  }
}
