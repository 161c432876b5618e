import { startTestService, type TestService } from '../../test/support/service.ts';

/** The whole service, caught up and quiet. */
export async function quietService(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(environment);
  await service.settled();
  return service;
}

/** One line that says whether a figure that has no floor met its goal. */
export function absolute(what: string, figures: string, met: boolean): string {
  return `${what}: ${figures}: ${met ? 'met' : 'missed'}`;
}
