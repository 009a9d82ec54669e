import type { ComponentChildren } from 'preact'
import { useContext, useId, useRef, useState } from 'preact/hooks'
import { tryParseJson } from '../../../utils/foreign-json.ts'
import type { Json } from '../../../utils/json.ts'
import { useAction, useDashboard } from './context.ts'
import { Button, type ButtonProps, FormErrorContext, Input } from './fields.tsx'
import { noErrors, splitErrors } from './format.ts'
import { CloseDialogContext, DialogButton, type DialogButtonProps } from './panels.tsx'

/** Returns a function that creates a button. A click runs an operation, and a notification shows its success. */
export function useActionButton() {
  const run = useAction()
  return (
    label: string,
    success: string,
    work: () => Promise<unknown>,
    props?: Omit<ButtonProps, 'label'>,
  ) => <Button {...props} label={label} onClick={() => run(() => work().then(() => success))} />
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
  const { notifications } = useDashboard()
  const run = useAction(onSuccess)
  const errorId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(noErrors)
  const [isBusy, setBusy] = useState(false)
  const closeDialog = useContext(CloseDialogContext)
  const showErrors = (error: unknown) => {
    const controls = [...(form.current?.elements ?? [])] as HTMLInputElement[]
    const names = controls.map(({ name }) => name).filter((name) => name !== '')
    const split = splitErrors(error as Error, names)
    setErrors(split)
    controls.find(({ name }) => Object.hasOwn(split.fields, name))?.focus()
  }
  const submit = async () => {
    if (isBusy) return
    setErrors(noErrors)
    notifications.dismiss()
    setBusy(true)
    await run(save, showErrors)
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
      <div class="row buttons">
        {closeDialog && [actions, <Button key="cancel" label="Cancel" onClick={closeDialog} />]}
        <button type="submit" class={submitClass}>
          {isBusy ? (props.busyLabel ?? submitLabel) : submitLabel}
        </button>
        {!closeDialog && actions}
      </div>
    </form>
  )
}

/** A short form in one row. A notification shows its success or its error. */
export function RowForm(props: Pick<FormProps, 'save' | 'submitLabel' | 'children'>) {
  const run = useAction()
  return (
    <form class="row" onSubmit={onSubmit(() => run(props.save))}>
      {props.children}
      <button type="submit">{props.submitLabel}</button>
    </form>
  )
}

export function onSubmit(submit: () => void) {
  return (event: SubmitEvent) => {
    event.preventDefault()
    submit()
  }
}

/** A button for what cannot be undone. It asks first, and says what is lost. */
export function ConfirmButton(
  props: Omit<DialogButtonProps, 'children'> & Pick<FormProps, 'save' | 'children'>,
) {
  const { save, children, ...button } = props
  return (
    <DialogButton {...button}>
      {(close) => (
        <Form save={save} onSuccess={close} submitLabel={button.label} submitClass="danger">
          <p>{children}</p>
        </Form>
      )}
    </DialogButton>
  )
}

/** A field for JSON. An error about any part of it is shown below the fields. */
export function JsonField(props: {
  readonly rows: number
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const { general, errorId } = useContext(FormErrorContext)
  const described = { 'aria-invalid': general !== '', 'aria-describedby': errorId }
  return <Input label="JSON" spellcheck={false} {...described} {...props} />
}

/** JSON as a value, and any other text as it is. */
export function jsonOrText(text: string): Json {
  const parsed = tryParseJson(text)
  return parsed ? (parsed.value as Json) : text
}

/** @throws Error with a message for the user */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Invalid JSON: ${(error as Error).message}`)
  }
}
