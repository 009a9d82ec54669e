import type { ComponentChildren } from 'preact'
import { Store, useStore } from './hooks.ts'

/** What stands where there is nothing to show, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{title}</p>
      {children}
    </div>
  )
}

/** What went wrong, in the words of the server. */
export function ErrorMessage({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** What the page has to say. */
interface DashboardNotification {
  readonly tone: 'good' | 'bad'
  readonly text: string
}

/** The latest that was done, or that failed: one at a time, until it is dismissed or followed by another. */
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

  #set(notice: DashboardNotification | null): void {
    this.current = notice
    this.notify()
  }
}

/** The notice, read out by screen readers when it comes. */
export function NotificationBar({ notices }: { notices: Notifications }) {
  const { current } = useStore(notices)
  return (
    <div class="notices" role="status" aria-live="polite">
      {current && (
        <p class={`notice ${current.tone}`}>
          <span>{current.text}</span>
          <button type="button" class="quiet" onClick={() => notices.dismiss()}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  )
}
