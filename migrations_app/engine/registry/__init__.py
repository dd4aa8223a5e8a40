"""EnvRegistry: how a deployment registers itself and sees its surroundings; and the policies that place resources."""
