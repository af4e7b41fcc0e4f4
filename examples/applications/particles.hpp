// A particle system. Particles fly along ballistic paths and bounce off the ground. At the end of
// their time they start again, with a velocity that is a hash of their last position.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

namespace applications {
using namespace tutti;

struct Fountain {
  Value2f gravity = Value2f(0, -9.8f);
  Value1f dt = 0.01f, lifetime = 2.0f;
  Program evolve = BEGIN {  // of velocity, position and age
    InOut<Value2f> velocity, position;
    InOut<Value1f> age;
    velocity += gravity * dt;
    position += velocity * dt;
    age += dt;
    IF(age > lifetime) {
      const Value2f chance = hash(Value3f(position, age))(0, 1);
      velocity = Value2f(2.4f * chance(0) - 1.2f, 6.0f + 2.5f * chance(1));
      position = Value2f(0, 0);
      age = 0.2f * chance(0);
    }
    ELSEIF(position(1) < 0.0f && velocity(1) < 0.0f) { velocity(1) *= -0.6f; }
    ENDIF;
  }
  END;
};

}  // namespace applications
