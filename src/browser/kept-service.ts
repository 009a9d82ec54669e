import { freeWords } from '../free-words.ts'
import { isOwn, type Keepable } from '../persistence/state.ts'
import type { Service } from '../service.ts'
import { exportTexts } from '../world/export.ts'
import type { loadWorld } from '../world/load.ts'
import { loadChecked } from '../world/load-checked.ts'

/** The world of a service, to be kept. What checks a world is loaded for one that something else wrote. */
export function keptService({ sandbox }: Service): Keepable {
  let checked: typeof loadWorld = () => {
    throw new Error('Failed to resume a state: expected it to be prepared.')
  }
  let isLoaded = false
  return {
    world: { toTexts: () => exportTexts(sandbox.snapshot()) },
    onChange: (listener) => sandbox.watchers.add({ written: listener, replaced: listener }),
    resume(world, isSealed) {
      if (isSealed) sandbox.restore(loadChecked(world))
      else sandbox.restore(checked(world, freeWords(sandbox.noted.plain)))
    },
    prepare(text) {
      if (isLoaded || isOwn(text)) return null
      return import('../world/load.ts').then((load) => {
        checked = load.loadWorld
        isLoaded = true
      })
    },
  }
}
