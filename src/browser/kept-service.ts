import { uncheckedFields } from '../free-words.ts'
import { isTrusted, type PersistableWorld } from '../persistence/state.ts'
import type { Router } from '../service.ts'
import { exportWorldText } from '../world/export.ts'
import type { loadWorld } from '../world/load.ts'
import { buildWorld } from '../world/load-checked.ts'

/** The world of a service, to be kept. What checks a world is loaded for one that something else wrote. */
export function toPersistable({ sandbox }: Router): PersistableWorld {
  let checked: typeof loadWorld = () => {
    throw new Error('Failed to resume a state: expected it to be prepared.')
  }
  let isLoaded = false
  return {
    world: { toTexts: () => exportWorldText(sandbox.snapshot()) },
    onChange: (listener) => sandbox.watchers.add({ rowWritten: listener, rowsReplaced: listener }),
    resume(world, isSealed) {
      if (isSealed) sandbox.restore(buildWorld(world))
      else sandbox.restore(checked(world, uncheckedFields(sandbox.noted.untracked)))
    },
    prepare(text) {
      if (isLoaded || isTrusted(text)) return null
      return import('../world/load.ts').then((load) => {
        checked = load.loadWorld
        isLoaded = true
      })
    },
  }
}
