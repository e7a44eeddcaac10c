/** The sentences about turning ways to sign in on and off, and the names of buttons, in Brazilian Portuguese. */
import type { methodTexts as english } from './en.ts'

export const methodTexts: typeof english = {
  buttons: {
    device: (browser, system) => `${browser} no ${system}`,
    signOutOf: (device) => `Sair: ${device}`,
    labelled: (button, name) => `${button}: ${name}`,
  },
  turnOn: {
    title: 'Digite o código',
    lead: (target) =>
      `Enviamos um código de verificação para ${target}. Digite-o para ativar este método. Ele vale por 5 minutos.`,
    code: 'Código de verificação',
    button: 'Ativar',
    again: 'Enviar novo código',
    missing: 'Digite o código.',
    refused: 'Este código está incorreto, expirou ou já foi usado. Tente novamente com um novo código.',
    noTexts: 'Mensagens SMS não estão disponíveis aqui',
  },
  removal: {
    remove: (name) => `Remover “${name}”?`,
    turnOff: (name) => `Desativar “${name}”?`,
    lead: 'Você não poderá mais entrar com este método.',
    factorLead: 'Sem esta segunda etapa, sua conta ficará menos protegida.',
    cancel: 'Cancelar',
  },
  othersEnded: 'Todas as outras sessões foram encerradas.',
}
