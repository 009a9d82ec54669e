import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from './fields.tsx'
import { Store, useStore } from './hooks.ts'

interface SectionProps {
  readonly title: string
  readonly class?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Section({ title, class: name, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section class={name} aria-labelledby={id}>
      <header class="row">
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}

/** Takes the place of an empty list. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children}
    </div>
  )
}

export function ErrorMessage({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div class="error" role="alert">
      <p>{error.message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

interface DashboardNotification {
  readonly tone: 'good' | 'bad'
  readonly text: string
}

/** The latest notification. It disappears when the user dismisses it or navigates, or when another one follows. */
export class Notifications extends Store {
  current: DashboardNotification | null = null

  showSuccess(text: string): void {
    this.#set({ tone: 'good', text })
  }

  showError(error: unknown): void {
    this.#set({ tone: 'bad', text: error instanceof Error ? error.message : String(error) })
  }

  dismiss(): void {
    this.#set(null)
  }

  #set(notification: DashboardNotification | null): void {
    this.current = notification
    this.notify()
  }
}

/** Shows the notification. Screen readers announce it when it appears. */
export function NotificationBar({ notifications }: { notifications: Notifications }) {
  const { current } = useStore(notifications)
  return (
    <div class="notifications" role="status" aria-live="polite">
      {current && (
        <p class={`notification ${current.tone}`}>
          <span>{current.text}</span>
          <Button class="quiet" onClick={() => notifications.dismiss()}>
            Dismiss
          </Button>
        </p>
      )}
    </div>
  )
}
