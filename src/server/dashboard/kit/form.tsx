import { useId, useState } from 'preact/hooks'
import { useDashboard } from './context.ts'

interface Submission {
  readonly submit: (event: SubmitEvent) => void
  /** The error message of the last submission; empty if it succeeded. */
  readonly error: string
  readonly isBusy: boolean
}

/**
 * Handles the submit event of a form. A success is shown as a notification, an error in the form.
 *
 * @param save resolves to the message to show
 * @param onSuccess for example closes the dialog of the form
 */
export function useSubmit(save: () => Promise<string>, onSuccess?: () => void): Submission {
  const { notifications } = useDashboard()
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
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
  return { submit, error, isBusy }
}

/** The error of a form. Screen readers announce it when it appears. */
export function FormError({ id, error }: { id?: string; error: string }) {
  return (
    <p id={id} class="bad" role="alert">
      {error}
    </p>
  )
}

/**
 * Returns a function that binds fields of a form to the properties of an object.
 *
 * @example <input {...bindFields(draft, setDraft)('title')} />
 */
export function bindFields<T extends object>(values: T, onChange: (values: T) => void) {
  return <Name extends keyof T>(name: Name) => ({
    value: values[name],
    onInput: ({ currentTarget }: Event) =>
      onChange({ ...values, [name]: (currentTarget as HTMLInputElement).value }),
  })
}

interface JsonFieldProps {
  readonly rows: number
  readonly value: string
  readonly error: string
  readonly onChange: (text: string) => void
}

/** A text area for JSON, with the error of its form. */
export function JsonField({ rows, value, error, onChange }: JsonFieldProps) {
  const errorId = useId()
  return (
    <>
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
      <FormError id={errorId} error={error} />
    </>
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
