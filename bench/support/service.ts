import { startTestService, type TestService } from '../../test/support/service.ts';

/** The whole service, caught up and quiet. */
export async function quietService(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(environment);
  await service.settled();
  return service;
}
