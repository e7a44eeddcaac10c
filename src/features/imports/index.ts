/** Imports: adds thousands of human users, each exactly like AddHumanUser. `http` reads the stream of requests. */
import { module } from '../../module/module.ts'
import { importRefusals } from './refusals.ts'

export const importsModule = module({ name: 'imports', refusals: importRefusals })

export { beginImport, type ImportHuman } from './handlers/import-human.ts'
export { importRefusals } from './refusals.ts'
