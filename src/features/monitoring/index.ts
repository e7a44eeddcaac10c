/** Monitoring: figures about the instance for people who look after it. */
import { module } from '../../module/module.ts'
import { monitoringMethods } from './rpc.ts'

export const monitoringModule = module({ name: 'monitoring', methods: monitoringMethods })
