import type { ComponentChildren } from 'preact'
import { useContext, useId, useRef, useState } from 'preact/hooks'
import { useAction, useDashboard } from './context.ts'
import { Button, type ButtonProps, type FieldProps, FormErrorContext, TextArea } from './fields.tsx'
import { noErrors, splitErrors } from './form-errors.ts'
import { DialogButton, type DialogButtonProps } from './panels.tsx'

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

/** A form. A success is shown as a notification, an error at its field or below the fields; screen readers announce both. */
export function Form(props: FormProps) {
  const { save, onSuccess, submitLabel = 'Save', submitClass = 'primary', actions } = props
  const { notifications, state } = useDashboard()
  const errorId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(noErrors)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    if (isBusy) return
    setErrors(noErrors)
    notifications.dismiss()
    setBusy(true)
    try {
      const message = await save()
      state.refresh()
      notifications.showSuccess(message)
      onSuccess?.()
    } catch (error) {
      const controls = [...(form.current?.elements ?? [])] as HTMLInputElement[]
      const errors = splitErrors(
        error as Error,
        controls.map(({ name }) => name).filter((name) => name !== ''),
      )
      setErrors(errors)
      controls.find(({ name }) => Object.hasOwn(errors.fields, name))?.focus()
    }
    setBusy(false)
  }
  return (
    <form ref={form} class="fields" onSubmit={onSubmit(submit)}>
      <FormErrorContext.Provider value={{ ...errors, errorId }}>
        {props.children}
      </FormErrorContext.Provider>
      <p id={errorId} class="bad" role="alert">
        {errors.general}
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

/** A button for what cannot be undone. It asks first, and says what is lost. */
export function ConfirmButton(
  props: Omit<DialogButtonProps, 'children'> &
    Pick<FormProps, 'save' | 'children'> & { readonly onDone?: () => void },
) {
  const { save, children, onDone, ...button } = props
  return (
    <DialogButton {...button}>
      {(close) => (
        <Form
          {...{ save, submitLabel: button.label, submitClass: 'danger' }}
          onSuccess={() => {
            close()
            onDone?.()
          }}
        >
          <p>{children}</p>
        </Form>
      )}
    </DialogButton>
  )
}

export function JsonField(props: Omit<FieldProps<string>, 'label'> & { readonly rows: number }) {
  const { general, errorId } = useContext(FormErrorContext)
  const described = { 'aria-invalid': general !== '', 'aria-describedby': errorId }
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
