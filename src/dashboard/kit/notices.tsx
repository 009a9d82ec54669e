import { Store, useStore } from './store.ts'

/** What the page has to say. */
interface Notice {
  readonly tone: 'good' | 'bad'
  readonly text: string
}

/** The latest that was done, or that failed: one at a time, until it is dismissed or followed by another. */
export class Notices extends Store {
  notice: Notice | null = null

  say(text: string): void {
    this.#set({ tone: 'good', text })
  }

  fail(error: unknown): void {
    this.#set({ tone: 'bad', text: error instanceof Error ? error.message : String(error) })
  }

  dismiss(): void {
    this.#set(null)
  }

  #set(notice: Notice | null): void {
    this.notice = notice
    this.tell()
  }
}

/** The notice, read out by screen readers when it comes. */
export function NoticeBar({ notices }: { notices: Notices }) {
  const { notice } = useStore(notices)
  return (
    <div class="notices" role="status" aria-live="polite">
      {notice && (
        <p class={`notice ${notice.tone}`}>
          <span>{notice.text}</span>
          <button type="button" class="quiet" onClick={() => notices.dismiss()}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  )
}
