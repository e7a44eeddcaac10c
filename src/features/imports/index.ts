/** Imports: adding humans by the thousand, each exactly as AddHumanUser adds one. `http` reads the stream of requests. */
import { module } from '../../access/module.ts'
import { importRefusals } from './refusals.ts'

export const importsModule = module({ name: 'imports', refusals: importRefusals })

export { beginImport, type ImportHuman } from './handlers/import-human.ts'
export { importRefusals } from './refusals.ts'
