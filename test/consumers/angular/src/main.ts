import { bootstrapApplication } from '@angular/platform-browser'
import { Shop } from './shop'
import { start } from './start'

await start()
await bootstrapApplication(Shop)
