import { Component, signal } from '@angular/core'

@Component({
  selector: 'shop-root',
  template: `@if (count() !== null) {<p role="status">The page counts {{ count() }}.</p>}`,
})
export class Shop {
  readonly count = signal<number | null>(null)

  constructor() {
    void this.list()
  }

  async list(): Promise<void> {
    const headers = { authorization: 'Bearer phx_all' }
    const response = await fetch('/api/projects/1/annotations/', { headers })
    this.count.set((await response.json()).count)
  }
}
