/** The sentences about turning ways to sign in on and off, and the names of buttons, in Spanish. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser} en ${system}`,
    signOutOf: (device) => `Cerrar sesión: ${device}`,
    labelled: (button, name) => `${button}: ${name}`,
  },
  turnOn: {
    title: 'Introduzca el código',
    lead: (target) =>
      `Hemos enviado un código de verificación a ${target}. Introdúzcalo para activar este método. Es válido durante 5 minutos.`,
    code: 'Código de verificación',
    button: 'Activar',
    again: 'Enviar un código nuevo',
    missing: 'Introduzca el código.',
    refused: 'Este código no es correcto, ha caducado o ya se ha utilizado. Inténtelo de nuevo con un código nuevo.',
    noTexts: 'Los SMS no están disponibles aquí',
  },
  removal: {
    remove: (name) => `¿Eliminar «${name}»?`,
    turnOff: (name) => `¿Desactivar «${name}»?`,
    lead: 'Ya no podrá usarlo para iniciar sesión.',
    factorLead: 'Sin este segundo paso, su cuenta estará menos protegida.',
    cancel: 'Cancelar',
  },
  othersEnded: 'Se han cerrado todas las demás sesiones.',
}
